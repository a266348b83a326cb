import { spawn } from "node:child_process";
import { killTree } from "../env/kill-tree.ts";
import { lastBytes } from "../text/truncate.ts";

/** Runs the user's npm client; resolves with its exit code and the end of what it said. */
export type RunNpm = (
  args: readonly string[],
  options: { readonly cwd: string; readonly signal?: AbortSignal },
) => Promise<NpmExit>;

export interface NpmExit {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly output: string;
}

const KEPT_OUTPUT_BYTES = 8000;

/** The `npm` that lies in the `PATH` of these variables. What it says is kept and reaches no terminal. */
export function localNpm(environmentVariables: Readonly<Record<string, string>>): RunNpm {
  return (args, { cwd, signal }) =>
    new Promise((resolve, reject) => {
      const isWindows = process.platform === "win32";
      const child = spawn(isWindows ? "npm.cmd" : "npm", args, {
        ...{ cwd, env: { ...environmentVariables }, stdio: ["ignore", "pipe", "pipe"] as const },
        // Windows runs .cmd files through its shell only; arguments hold no quotes (checked by the caller).
        ...{ detached: !isWindows, windowsHide: true, shell: isWindows },
      });
      let output = "";
      const keep = (chunk: Uint8Array) => {
        output = lastBytes(output + Buffer.from(chunk).toString("utf8"), KEPT_OUTPUT_BYTES);
      };
      child.stdout.on("data", keep);
      child.stderr.on("data", keep);
      const exited = new Promise((done) => child.once("exit", done));
      const end = () => void (child.pid !== undefined && killTree({ pid: child.pid, exited }));
      if (signal?.aborted === true) end();
      signal?.addEventListener("abort", end, { once: true });
      child.once("error", reject);
      child.once("close", (code) => {
        signal?.removeEventListener("abort", end);
        resolve({ exitCode: code ?? undefined, output: output.trim() });
      });
    });
}
