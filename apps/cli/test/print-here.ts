import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WireServer } from "@coppice/ai/testing";
import { parseArguments } from "../src/args.ts";
import type { CliContext } from "../src/cli-context.ts";
import { readEnvironment } from "../src/env.ts";
import { runPrintMode } from "../src/modes/print.ts";
import { NOBODY } from "../src/person.ts";
import { placesWithSettings } from "../src/places-with-settings.ts";
import { failureOf, failureText } from "../src/render/error-text.ts";
import { createStyle } from "../src/render/style.ts";
import { createStopSignal } from "../src/stop-signal.ts";
import type { CliRun } from "./spawn-cli.ts";

export interface PrintHereOptions {
  readonly wire: WireServer;
  readonly api: string;
  /** What `models.json` says of the model; the server has its own. */
  readonly contextWindow: number;
  readonly prompt: string;
  readonly settings: object;
  /** Name → text, in the project's folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * `coppice --model wire/wire-1 -p PROMPT` in this process: the whole program but its start and its streams, in folders
 * of its own that are deleted at the end.
 */
export async function printHere(options: PrintHereOptions): Promise<CliRun> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "coppice-print-")));
  try {
    const cwd = join(root, "project");
    await Promise.all([mkdir(join(root, ".coppice")), mkdir(cwd)]);
    for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(cwd, name), text);
    await configure(join(root, ".coppice"), options);
    return await print(root, cwd, options.prompt);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function configure(folder: string, { wire, api, contextWindow, settings }: PrintHereOptions) {
  const models = [{ id: "wire-1", contextWindow, maxTokens: 1_024 }];
  const providers = { wire: { baseUrl: wire.baseUrl(api), api, apiKey: wire.apiKey, models } };
  await writeFile(join(folder, "models.json"), JSON.stringify({ providers }));
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings));
}

async function print(home: string, cwd: string, prompt: string): Promise<CliRun> {
  const output = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof output) => ({
    ...{ isTerminal: false, columns: undefined },
    write: async (text: string) => {
      output[name] += text;
    },
  });
  const environment = readEnvironment({ PATH: process.env.PATH, HOME: home });
  const nothing = () => undefined;
  const stop = createStopSignal({ on: nothing, off: nothing, exit: nothing });
  const context: CliContext = {
    args: parseArguments(["--model", "wire/wire-1", "-p", prompt]),
    version: "0.0.0",
    ...{ environment, cwd, stop, person: NOBODY },
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    status: { show: nothing, erase: nothing },
    places: await placesWithSettings({ environment, cwd, sessionDirectory: undefined }),
    style: createStyle(false),
  };
  let exitCode: number;
  try {
    exitCode = await runPrintMode(context, { text: prompt, images: [] });
  } catch (error) {
    // As the program's outermost function does.
    const failure = failureOf(error);
    exitCode = failure.exitCode;
    await context.stderr.write(failureText(failure, { withStack: false }));
  } finally {
    await stop.settled();
    stop.release();
  }
  return { exitCode, ...output };
}
