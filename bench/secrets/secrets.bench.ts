import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSecrets } from "../../packages/coding-agent/src/secrets/find-secrets.ts";
import { redactSecrets } from "../../packages/coding-agent/src/secrets/redactor.ts";
import { seededSecrets } from "../../packages/coding-agent/src/testing/seeded-secrets.ts";

/** No leak among 500 seeded secrets, hits on under 0.1 % of the lines of code that holds none. */
const SECRET_COUNT = 500;
const MAX_FALSE_SHARE = 0.001;
const MAX_CORPUS_BYTES = 60_000_000;
const MAX_FILE_BYTES = 2_000_000;
const ROOT = join(import.meta.dirname, "../..");

/** This repository and what is installed for it. Tests of the detection itself hold secrets on purpose. */
const CORPUS = {
  "this repository": ["{packages,apps,bench,examples,e2e,scripts,docs}/**/*.{ts,md,json}"],
  "installed packages": ["node_modules/.pnpm/*/node_modules/*/**/*.{js,mjs,cjs,ts,md,json,yml,yaml}"],
} as const;

const secrets = seededSecrets(SECRET_COUNT, 1);
const kinds = new Set(secrets.map(({ kind }) => kind));
const leaks = secrets.filter(({ secret, text }) => redactSecrets(text).includes(secret));
console.log(
  `seeded secrets: ${secrets.length} of ${kinds.size} kinds, ${leaks.length} leaked (at most 0: ${verdict(leaks.length === 0)})`,
);
for (const { kind, text } of leaks) console.log(`  ${kind}: ${text}`);

const isShowing = process.argv.includes("--show");
for (const [name, patterns] of Object.entries(CORPUS)) {
  const { lines, hits, bytes, seconds, byKind } = scan(patterns);
  const share = hits / lines;
  console.log(
    `${name}: ${lines} lines, ${hits} hit (${(share * 100).toFixed(4)} %, below ${MAX_FALSE_SHARE * 100} %: ${verdict(share < MAX_FALSE_SHARE)}), ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
  );
  console.log(`  ${[...byKind].map(([kind, count]) => `${kind} ${count}`).join(", ")}`);
}

function verdict(isMet: boolean): string {
  return isMet ? "met" : "MISSED";
}

function scan(patterns: readonly string[]) {
  let lines = 0;
  let hits = 0;
  let bytes = 0;
  let seconds = 0;
  const byKind = new Map<string, number>();
  for (const text of corpusTexts(patterns)) {
    bytes += text.length;
    const startMs = performance.now();
    const found = findSecrets(text);
    seconds += (performance.now() - startMs) / 1000;
    lines += text.split("\n").length;
    hits += new Set(found.map(({ start }) => text.slice(0, start).split("\n").length)).size;
    for (const { kind, start, end } of found) {
      byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
      if (isShowing)
        console.log(
          `    ${kind}: ${JSON.stringify(text.slice(Math.max(0, start - 40), Math.min(end, start + 80)))}`,
        );
    }
  }
  return { lines, hits, bytes, seconds, byKind };
}

function* corpusTexts(patterns: readonly string[]): Generator<string> {
  const files = globSync(patterns, {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(dist|\.git|secrets)$/.test(path),
  });
  let total = 0;
  for (const file of files.sort()) {
    if (patterns.length === 1 && !patterns[0]?.startsWith("node_modules") && file.includes("node_modules/"))
      continue;
    if (/secrets?[./-]/.test(file)) continue;
    const text = readText(join(ROOT, file));
    if (text.length > MAX_FILE_BYTES) continue;
    total += text.length;
    if (total > MAX_CORPUS_BYTES) return;
    yield text;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A link into nowhere, or a folder with the name of a file.
    return "";
  }
}
