export const LS_DESCRIPTION = `List a directory, sorted; directories end in /. Hidden files are listed.`;
