export const READ_DESCRIPTION = `Read a text file or an image (jpg, png, gif, webp). Shows at most 2000 lines or 50 KB; a notice at the end names the offset to continue with.`;
