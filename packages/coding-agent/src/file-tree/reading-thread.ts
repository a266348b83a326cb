import { parentPort } from "node:worker_threads";
import { localReader } from "./local-reader.ts";
import type { FolderReport, ReadingAnswer, ReadingCall } from "./reading-crew.ts";
import { putStamp, VALUES_A_STAMP } from "./stamp-values.ts";

// What the threads of `ReadingCrew` run: they read the folders that they are sent.
parentPort?.on("message", ({ folders }: ReadingCall) => {
  const reports = folders.map(reportOf);
  const files = folders.flatMap((folder, at) => (reports[at]?.files ?? []).map((name) => ({ folder, name })));
  const values = new Float64Array(files.length * VALUES_A_STAMP);
  for (const [at, { folder, name }] of files.entries()) {
    putStamp(values, at, localReader.stamp(folder, name));
  }
  parentPort?.postMessage({ reports, values } satisfies ReadingAnswer, [values.buffer]);
});

function reportOf(folder: string): FolderReport | undefined {
  const entries = localReader.entries(folder);
  if (entries === undefined) return undefined;
  const named = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
  return { files: named("file"), folders: named("folder") };
}
