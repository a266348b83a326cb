import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseArguments } from "./args.ts";
import { run } from "./run.ts";

const begun = vi.hoisted(() => vi.fn());

vi.mock("./compile-cache.ts", () => ({ useCompileCache: () => {} }));
vi.mock("./modes/interactive/index.ts", () => ({ runInteractive: async () => begun("interactive") }));
vi.mock("./modes/json.ts", () => ({ runJsonMode: async (_: unknown, { text = "" }) => begun("json", text) }));
vi.mock("./modes/print.ts", () => ({
  runPrintMode: async (_: unknown, { text = "" }) => begun("text", text),
}));
vi.mock("./modes/result.ts", () => ({
  runResultMode: async (_: unknown, { text = "" }) => begun("result", text),
}));
vi.mock("./modes/rpc/index.ts", () => ({ runRpcMode: async () => begun("rpc") }));

interface Case {
  readonly args: readonly string[];
  /** What is piped in; undefined = standard input is a terminal. */
  readonly piped?: string | undefined;
  readonly isTerminalOut?: boolean;
}

/** The mode that begins and the prompt it gets; an error is its message. */
async function begin({ args, piped, isTerminalOut = false }: Case): Promise<readonly unknown[]> {
  const home = await mkdtemp(join(tmpdir(), "coppice-run-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const file = join(home, "notes.txt");
  await writeFile(file, "noted\n");
  vi.stubEnv("COPPICE_HOME", home);
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => {}, isTTY: piped === undefined });
  if (piped !== undefined) stdin.end(piped);
  const streams = { stdin, stdout: terminal(isTerminalOut), stderr: terminal(false) };
  for (const [name, stream] of Object.entries(streams)) {
    vi.spyOn(process, name as "stdin", "get").mockReturnValue(stream as never);
  }
  begun.mockReset();
  try {
    await run(parseArguments(args.map((word) => (word === "@file" ? `@${file}` : word))), "0.0.0");
  } catch (error) {
    return [error instanceof Error ? error.message : error];
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
  return begun.mock.calls.flat().map((value) => String(value).replaceAll(JSON.stringify(file), "FILE"));
}

const terminal = (isTTY: boolean) => Object.assign(new PassThrough().resume(), { isTTY, columns: 80 });

const FLAGS = [
  { flags: ["-p"], mode: "text" },
  { flags: ["--mode", "text"], mode: "text" },
  { flags: ["--mode", "json"], mode: "json" },
  { flags: ["-p", "--mode", "text"], mode: "text" },
  { flags: ["-p", "--mode", "json"], mode: "json" },
  { flags: ["-p", "--output-format", "json"], mode: "result" },
  { flags: ["-p", "--output-format", "stream-json"], mode: "json" },
] as const;

const STDIN = "<stdin>\n1\n2\n</stdin>";
const FILE = "<file path=FILE>\nnoted\n</file>";

const INPUTS = [
  { words: ["sum"], piped: undefined, prompt: "sum" },
  { words: ["sum"], piped: "", prompt: "sum" },
  { words: ["sum"], piped: "1\n2\n", prompt: `sum\n\n${STDIN}` },
  { words: [], piped: "1\n2\n", prompt: "1\n2\n" },
  { words: ["@file"], piped: undefined, prompt: FILE },
  { words: ["@file", "sum"], piped: "1\n2\n", prompt: `${FILE}\n\nsum\n\n${STDIN}` },
  { words: ["@file"], piped: "1\n2\n", prompt: `${FILE}\n\n${STDIN}` },
  { words: [], piped: undefined, prompt: undefined },
  { words: [], piped: " \n", prompt: undefined },
] as const;

for (const { flags, mode } of FLAGS) {
  test.each(INPUTS)(
    `CL-12: ${flags.join(" ")} with words $words and piped $piped: the flag says the mode, the prompt is all of it`,
    async ({ words, piped, prompt }) => {
      const expected = prompt === undefined ? ["There is no prompt"] : [mode, prompt];
      // Where the answer goes changes neither.
      for (const isTerminalOut of [false, true]) {
        expect(await begin({ args: [...flags, ...words], piped, isTerminalOut })).toEqual(expected);
      }
    },
  );
}

test.each([
  { name: "a terminal on both sides", isTerminalOut: true, expected: ["interactive"] },
  { name: "an answer that is piped on", isTerminalOut: false, expected: ["text", "sum"] },
  { name: "piped input", piped: "1\n2\n", isTerminalOut: true, expected: ["text", `sum\n\n${STDIN}`] },
])("CL-12: without a flag $name decides the mode", async ({ expected, ...given }) => {
  expect(await begin({ args: ["sum"], ...given })).toEqual(expected);
});

test.each([undefined, "1\n2\n"])("CL-12: --mode rpc stays rpc, with %j piped in", async (piped) => {
  expect(await begin({ args: ["--mode", "rpc"], piped, isTerminalOut: true })).toEqual(["rpc"]);
});
