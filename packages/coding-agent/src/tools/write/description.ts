export const WRITE_DESCRIPTION = `Write a file. Creates it, and its folders, or replaces its whole content. To change part of a file use edit.`;
