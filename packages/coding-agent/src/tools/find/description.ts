export const FIND_DESCRIPTION = `Find files by glob, e.g. *.ts or src/**/*.test.ts. A pattern without a slash matches names at any depth. Respects .gitignore; hidden files are found.`;
