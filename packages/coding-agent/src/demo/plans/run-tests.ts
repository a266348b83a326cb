import { fileText, readListing } from "../listing.ts";
import { MANIFEST_NAMES, readManifest } from "../manifest.ts";
import type { DemoPlan, FinishedCall } from "../turn.ts";

const TIMEOUT_SECONDS = 600;
const OUTPUT_LINES = 30;

/** Lock file → the client that the project uses instead of npm. */
const CLIENTS: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm test",
  "yarn.lock": "yarn test",
  "bun.lock": "bun run test",
};

/** "Run the tests": find the command in the manifests, run it, report how it ended. */
export const runTests: DemoPlan = ({ batches }) => {
  const done = batches.flat();
  const listing = readListing(done[0]?.text ?? "");
  if (batches.length === 0) {
    return {
      kind: "call",
      say: "I'll look for how this project runs its tests.",
      calls: [{ name: "ls", arguments: {} }],
    };
  }
  const ran = done.find((finished) => finished.name === "bash");
  if (ran) return { kind: "answer", text: report(ran) };
  const manifests = MANIFEST_NAMES.filter((name) => listing.files.includes(name));
  if (batches.length === 1 && manifests.length > 0) {
    const calls = manifests.map((path) => ({ name: "read", arguments: { path } }));
    return { kind: "call", say: `Reading ${manifests.join(", ")}.`, calls };
  }
  const found = testCommand(done, listing.files);
  if (!found) {
    const looked =
      manifests.length > 0 ? manifests.join(", ") : `none of ${MANIFEST_NAMES.join(", ")} is here`;
    return { kind: "answer", text: `I found no test command (looked at: ${looked}).` };
  }
  return {
    kind: "call",
    say: `${found.source} defines the tests; running \`${found.command}\`.`,
    calls: [{ name: "bash", arguments: { command: found.command, timeout: TIMEOUT_SECONDS } }],
  };
};

/** The first manifest with a test command decides; a lock file names the client. */
function testCommand(
  done: readonly FinishedCall[],
  files: readonly string[],
): { readonly command: string; readonly source: string } | undefined {
  for (const finished of done) {
    const path = finished.arguments.path;
    if (finished.name !== "read" || finished.isError || typeof path !== "string") continue;
    const command = readManifest(path, fileText(finished.text))?.testCommand;
    if (command === undefined) continue;
    const lock = Object.keys(CLIENTS).find((name) => files.includes(name));
    const client = lock === undefined ? undefined : CLIENTS[lock];
    return { command: path === "package.json" && client !== undefined ? client : command, source: path };
  }
  return undefined;
}

function report(ran: FinishedCall): string {
  const lines = ran.text.trimEnd().split("\n");
  const shown = lines.slice(-OUTPUT_LINES).join("\n");
  const verdict = ran.isError ? "The tests did **not** pass" : "The tests passed";
  const cut = lines.length > OUTPUT_LINES ? `last ${OUTPUT_LINES} lines of its output` : "its output";
  return `${verdict}: \`${ran.arguments.command}\` ${ran.isError ? "failed" : "ended without an error"}; ${cut}:\n\n\`\`\`\n${shown}\n\`\`\``;
}
