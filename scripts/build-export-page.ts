import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

/** Bundles the page of `coppice export` into a module of text; with `--check` only says whether that is up to date. */
const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "apps/cli/export-page");
const TARGET = join(ROOT, "apps/cli/src/export/page.generated.ts");

const text = moduleText({ script: await bundledScript(), style: await style() });
if (process.argv.includes("--check")) {
  const isCurrent = (await readFile(TARGET, "utf8").catch(() => "")) === text;
  console.log(
    isCurrent ? "The page is up to date." : "The page is stale: run `node scripts/build-export-page.ts`.",
  );
  process.exitCode = isCurrent ? 0 : 1;
} else await writeFile(TARGET, text);

/** One script without imports. Not minified: whoever gets a page can read what it does. */
async function bundledScript(): Promise<string> {
  const result = await build({
    root: SOURCE,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: {
        input: join(SOURCE, "main.ts"),
        output: { format: "iife", comments: false },
      },
    },
  });
  const outputs = [result].flat().flatMap((part) => ("output" in part ? part.output : []));
  const chunk = outputs.find((part) => part.type === "chunk");
  if (chunk === undefined) throw new Error("The bundler made no script.");
  return chunk.code.replaceAll("\t", " ");
}

async function style(): Promise<string> {
  const source = await readFile(join(SOURCE, "style.css"), "utf8");
  return source
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/^ +/gm, "")
    .trim();
}

/** Line by line, so that a change of the page is a readable change of the module. */
function moduleText(assets: { readonly script: string; readonly style: string }): string {
  for (const [name, value] of Object.entries(assets)) {
    if (/<\/(?:script|style)|<!--/i.test(value)) throw new Error(`The ${name} would end its own element.`);
  }
  const lines = (value: string) =>
    value
      .trimEnd()
      .split("\n")
      .map((line) => `  ${JSON.stringify(line)},`)
      .join("\n");
  return [
    "// Made by scripts/build-export-page.ts from apps/cli/export-page; do not edit.",
    "",
    "/** The script of an exported page. */",
    `export const PAGE_SCRIPT = [\n${lines(assets.script)}\n].join("\\n");`,
    "",
    "/** The style sheet of an exported page. */",
    `export const PAGE_STYLE = [\n${lines(assets.style)}\n].join("\\n");`,
    "",
  ].join("\n");
}
