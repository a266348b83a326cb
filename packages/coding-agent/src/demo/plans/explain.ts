import { fileText, type Listing, readListing } from "../listing.ts";
import { MANIFEST_NAMES, type ManifestFacts, readManifest } from "../manifest.ts";
import { readSource, SOURCE_FILE } from "../source-facts.ts";
import type { DemoCall, DemoPlan, DemoStep, FinishedCall } from "../turn.ts";

const SOURCE_DIRECTORIES = [
  "src",
  "lib",
  "source",
  "packages",
  "app",
  "apps",
  "cmd",
  "internal",
  "pkg",
  "bin",
  "dist",
];
const MAX_SAMPLED_FILES = 6;
const SAMPLE_LINES = 120;
const README_LINES = 60;
const MAX_LISTED_NAMES = 12;

/** "Explain this project": list, read manifest and README, sample sources, then say what was found, file by file. */
export const explainProject: DemoPlan = (turn) => {
  const done = turn.batches.flat();
  switch (turn.batches.length) {
    case 0:
      return call("I'll look at what is in this folder.", [{ name: "ls", arguments: {} }]);
    case 1:
      return readTopLevel(done);
    case 2:
      return sampleSources(done);
    default:
      return { kind: "answer", text: explanation(done) };
  }
};

function call(say: string, calls: readonly DemoCall[]): DemoStep {
  return { kind: "call", say, calls };
}

const read = (path: string, limit: number): DemoCall => ({ name: "read", arguments: { path, limit } });

function topLevel(done: readonly FinishedCall[]): Listing {
  const first = done[0];
  return first && !first.isError ? readListing(first.text) : { directories: [], files: [] };
}

function readmeOf({ files }: Listing): string | undefined {
  return files.find((name) => /^readme(\.(md|markdown|rst|txt))?$/i.test(name));
}

function readTopLevel(done: readonly FinishedCall[]): DemoStep {
  const listing = topLevel(done);
  const manifests = MANIFEST_NAMES.filter((name) => listing.files.includes(name));
  const readme = readmeOf(listing);
  const folders = SOURCE_DIRECTORIES.filter((name) => listing.directories.includes(name)).slice(0, 3);
  const calls = [
    ...manifests.slice(0, 2).map((name) => read(name, 400)),
    ...(readme === undefined ? [] : [read(readme, README_LINES)]),
    ...folders.map((path) => ({ name: "ls", arguments: { path } })),
  ];
  if (calls.length > 0) return call("Now its manifest, its README and its source folders.", calls);
  if (listing.files.some((name) => SOURCE_FILE.test(name))) return sampleSources(done);
  return { kind: "answer", text: explanation(done) };
}

function sampleSources(done: readonly FinishedCall[]): DemoStep {
  const paths = candidateSources(done).slice(0, MAX_SAMPLED_FILES);
  if (paths.length === 0) return { kind: "answer", text: explanation(done) };
  return call(`Now a look into ${paths.length === 1 ? "one source file" : `${paths.length} source files`}.`, [
    ...paths.map((path) => read(path, SAMPLE_LINES)),
  ]);
}

/** Entry files of the manifest first, then files called index or main, then the rest, all seen in a listing. */
function candidateSources(done: readonly FinishedCall[]): readonly string[] {
  const seen = done.flatMap((finished) => {
    if (finished.name !== "ls" || finished.isError) return [];
    const folder = typeof finished.arguments.path === "string" ? `${finished.arguments.path}/` : "";
    return readListing(finished.text).files.map((name) => folder + name);
  });
  const sources = seen.filter(
    (path) => SOURCE_FILE.test(path) && !/\.(test|spec)\.|\.d\.[cm]?ts$|\.min\./.test(path),
  );
  const entries = manifestsOf(done).flatMap(({ facts }) => facts.entries);
  const rank = (path: string) =>
    entries.includes(path) ? 0 : /(^|\/)(index|main|mod|lib|app)\./.test(path) ? 1 : 2;
  return [...sources].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

function manifestsOf(done: readonly FinishedCall[]): readonly { facts: ManifestFacts }[] {
  return readsOf(done).flatMap(({ path, text }) => {
    const facts = readManifest(path, text);
    return facts ? [{ facts }] : [];
  });
}

function readsOf(done: readonly FinishedCall[]): readonly { path: string; text: string }[] {
  return done.flatMap((finished) => {
    const path = finished.arguments.path;
    if (finished.name !== "read" || finished.isError || typeof path !== "string") return [];
    return [{ path, text: fileText(finished.text) }];
  });
}

function explanation(done: readonly FinishedCall[]): string {
  const listing = topLevel(done);
  if (listing.files.length + listing.directories.length === 0) {
    return `There is nothing to explain here: listing the folder gave «${done[0]?.text.trim() ?? ""}».`;
  }
  const readme = readmeOf(listing);
  const reads = readsOf(done);
  const sections = [
    ...manifestsOf(done).map(({ facts }) => aboutManifest(facts)),
    ...reads.filter(({ path }) => path === readme).map(({ path, text }) => aboutReadme(path, text)),
    aboutLayout(done, listing),
    aboutSources(reads.filter(({ path }) => SOURCE_FILE.test(path))),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function aboutManifest(facts: ManifestFacts): string {
  const title = [facts.name, facts.version].filter(Boolean).join(" ");
  const lines = [`**${title || facts.path}** is a ${facts.ecosystem} (\`${facts.path}\`).`];
  if (facts.description) lines.push(`It describes itself as: “${facts.description}”`);
  if (facts.entries.length > 0) lines.push(`Entry files: ${codes(facts.entries.slice(0, 6))}.`);
  if (facts.scripts.length > 0) lines.push(`Scripts: ${codes(facts.scripts.slice(0, 8))}.`);
  const count = facts.dependencies.length;
  lines.push(
    count === 0
      ? "It names no runtime dependencies."
      : `It names ${count} runtime ${count === 1 ? "dependency" : "dependencies"}: ${codes(facts.dependencies.slice(0, 12))}${count > 12 ? ", …" : ""}.`,
  );
  return lines.join("\n");
}

function aboutReadme(path: string, text: string): string {
  const paragraph = text
    .split(/\n\s*\n/)
    .map((block) =>
      block
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/<[^>]+>/g, "")
        .trim(),
    )
    .find((block) => block.length > 30 && !/^([#=>|`-]|\[)/.test(block));
  const headings = [...text.matchAll(/^#{1,3}\s+(.+)$/gm)].map((match) => (match[1] ?? "").trim());
  const lines = [`**What \`${path}\` says**`];
  if (paragraph) lines.push(`> ${clip(paragraph.replace(/\s+/g, " "), 400)}`);
  // A blank line ends the quotation.
  if (headings.length > 0)
    lines.push(...(paragraph ? [""] : []), `Its headings: ${headings.slice(0, 10).join(" · ")}.`);
  return lines.length > 1 ? lines.join("\n") : "";
}

function aboutLayout(done: readonly FinishedCall[], listing: Listing): string {
  const rows = listing.directories
    .filter((name) => name !== ".git")
    .map((name) => {
      const inside = done.find((finished) => finished.name === "ls" && finished.arguments.path === name);
      if (!inside || inside.isError) return `- \`${name}/\``;
      const { directories, files } = readListing(inside.text);
      const names = [...directories.map((folder) => `${folder}/`), ...files];
      const more = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : "";
      return `- \`${name}/\`: ${codes(names.slice(0, MAX_LISTED_NAMES))}${more}`;
    });
  const files = listing.files.length > 0 ? [`- files at the top: ${codes(listing.files.slice(0, 20))}`] : [];
  return ["**Layout**", ...rows, ...files].join("\n");
}

function aboutSources(reads: readonly { path: string; text: string }[]): string {
  if (reads.length === 0) return "";
  const rows = reads.map(({ path, text }) => {
    const { purpose, definitions, lines } = readSource(text);
    const names = definitions.slice(0, 8).map(({ name, line }) => `\`${name}\` (line ${line})`);
    const more = definitions.length > 8 ? ` and ${definitions.length - 8} more` : "";
    const defines =
      names.length > 0 ? `defines ${names.join(", ")}${more}` : "no top-level definitions in the part read";
    return `- \`${path}\` (${lines} lines read): ${purpose ? `“${clip(purpose, 160)}” ` : ""}${defines}`;
  });
  return ["**File by file**", ...rows].join("\n");
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function clip(text: string, maxChars: number): string {
  const characters = [...text];
  return characters.length > maxChars ? `${characters.slice(0, maxChars).join("")}…` : text;
}
