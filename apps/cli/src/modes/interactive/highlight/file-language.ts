/** Names that highlight.js does not take for a language itself, by file ending or by name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  mts: "typescript",
  cts: "typescript",
  mjs: "javascript",
  cjs: "javascript",
  jsonl: "json",
  jsonc: "json",
  h: "c",
  htm: "xml",
  html: "xml",
  svg: "xml",
  toml: "ini",
  zsh: "bash",
  sh: "bash",
  dockerfile: "dockerfile",
  makefile: "makefile",
};

/** The language of a file by its name, for highlighting; undefined where the name says nothing. */
export function fileLanguage(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  if (Object.hasOwn(LANGUAGES, ending)) return LANGUAGES[ending];
  return name.includes(".") && /^[a-z+#]+$/.test(ending) ? ending : undefined;
}
