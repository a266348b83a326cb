export const GREP_DESCRIPTION = `Search file contents for a pattern (regular expression, or text with literal: true). Returns path:line:text. Respects .gitignore; hidden files are searched.`;
