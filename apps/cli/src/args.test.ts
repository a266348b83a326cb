import { THINKING_LEVELS } from "@coppice/ai";
import { describe, expect, test } from "vitest";
import { parseArguments } from "./args.ts";
import { CliError } from "./cli-error.ts";
import { FLAGS } from "./flags.ts";

const run = (words: readonly string[], flags: object) => ({ command: undefined, words, flags });

describe("parseArguments", () => {
  test.each([
    { name: "takes nothing", argv: [], expected: run([], {}) },
    {
      name: "takes a prompt after -p",
      argv: ["-p", "sum it up"],
      expected: run(["sum it up"], { print: true }),
    },
    {
      name: "joins nothing by itself",
      argv: ["-p", "sum", "it"],
      expected: run(["sum", "it"], { print: true }),
    },
    {
      name: "takes values with and without =",
      argv: ["--model=a/b:high", "--name", "my task", "-p", "x"],
      expected: run(["x"], { model: "a/b:high", name: "my task", print: true }),
    },
    {
      name: "bundles short flags",
      argv: ["-cp", "go on"],
      expected: run(["go on"], { continue: true, print: true }),
    },
    {
      name: "CL-02: takes everything after -- as text",
      argv: ["-p", "--", "--model", "-x"],
      expected: run(["--model", "-x"], { print: true }),
    },
    {
      name: "CL-02: takes front matter as text",
      argv: ["-p", "---\ntitle: x\n---\nexplain"],
      expected: run(["---\ntitle: x\n---\nexplain"], { print: true }),
    },
    {
      name: "CL-02: takes a list as text",
      argv: ["-p", "- one\n- two"],
      expected: run(["- one\n- two"], { print: true }),
    },
    {
      name: "CL-02: takes a value that starts with a dash and holds a blank",
      argv: ["--name", "- a b"],
      expected: run([], { name: "- a b" }),
    },
    {
      name: "keeps blanks in a value after =",
      argv: ["--name=a b", "-p", "x"],
      expected: run(["x"], { name: "a b", print: true }),
    },
    {
      name: "keeps every value of a flag that may be given several times",
      argv: ["--extension", "./a.ts", "--extension=b", "-p", "x"],
      expected: run(["x"], { extension: ["./a.ts", "b"], print: true }),
    },
    {
      name: "finds a command in first place",
      argv: ["sessions", "show", "0198"],
      expected: { command: "sessions", words: ["show", "0198"], flags: {} },
    },
    {
      name: "leaves the command's name alone inside a prompt",
      argv: ["-p", "sessions"],
      expected: run(["sessions"], { print: true }),
    },
    {
      name: "finds a command after flags",
      argv: ["--session-dir", "d", "--mode=json", "sessions", "list"],
      expected: { command: "sessions", words: ["list"], flags: { "session-dir": "d", mode: "json" } },
    },
    {
      name: "takes the name of a command as text after --",
      argv: ["--model", "demo", "--", "sessions", "list"],
      expected: run(["sessions", "list"], { model: "demo" }),
    },
    {
      name: "takes the name of a command as text after other words",
      argv: ["--model", "demo", "about", "sessions"],
      expected: run(["about", "sessions"], { model: "demo" }),
    },
    {
      name: "takes the value of a flag for no command",
      argv: ["--name", "sessions", "-p", "x"],
      expected: run(["x"], { name: "sessions", print: true }),
    },
    {
      name: "takes --all with sessions",
      argv: ["sessions", "list", "--all"],
      expected: { command: "sessions", words: ["list"], flags: { all: true } },
    },
  ])("$name", ({ argv, expected }) => {
    expect(parseArguments(argv)).toEqual(expected);
  });

  test.each([
    { argv: ["--modle", "x"], message: "Unknown option '--modle'; did you mean --model?" },
    { argv: ["--dir", "x"], message: "Unknown option '--dir'; did you mean --session-dir?" },
    { argv: ["--xyzzy"], message: "Unknown option '--xyzzy'" },
    { argv: ["-x"], message: "Unknown option '-x'" },
    { argv: ["--print=yes"], message: "Option '-p, --print' does not take an argument" },
    { argv: ["--model"], message: "Option '-m, --model <value>' argument missing" },
    { argv: ["--model", "--print"], message: "Option '--model' argument is ambiguous" },
    { argv: ["--mode", "yaml"], message: '--mode is text, json, rpc, acp, not "yaml"' },
    {
      argv: ["--thinking", "much"],
      message: '--thinking is off, minimal, low, medium, high, xhigh, max, not "much"',
    },
    { argv: ["--name", ""], message: "--name needs a value" },
    { argv: ["--base-url", "http://x"], message: "--base-url needs --model" },
    { argv: ["--api", "x", "--model", "y"], message: "--api needs --base-url" },
    { argv: ["--context-window", "9", "--model", "y"], message: "--context-window needs --base-url" },
    { argv: ["-c", "--session", "x"], message: "--continue and --session exclude each other" },
    { argv: ["-c", "--no-session"], message: "--continue and --no-session exclude each other" },
    { argv: ["--session", "x", "--no-session"], message: "--session and --no-session exclude each other" },
    { argv: ["--all", "-p", "x"], message: "--all belongs to `coppice sessions list`" },
  ])("CL-01: refuses $argv", ({ argv, message }) => {
    const parse = () => parseArguments(argv);
    expect(parse).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), exitCode: 2 }),
    );
    expect(parse).toThrow(CliError);
  });
});

test("--thinking offers the levels that the model layer knows", () => {
  expect(FLAGS.thinking.choices).toEqual(THINKING_LEVELS);
});

test.each([
  { argv: ["session", "list"], hint: "coppice sessions list" },
  { argv: ["auht", "set", "anthropic"], hint: "coppice auth set" },
])("a misspelt command is no prompt: $argv", ({ argv, hint }) => {
  expect(() => parseArguments(argv)).toThrow(`did you mean \`${hint}\`?`);
  expect(parseArguments(["--", ...argv])).toMatchObject({ command: undefined, words: argv });
  expect(parseArguments(["-p", ...argv])).toMatchObject({ command: undefined, words: argv });
  expect(parseArguments([argv.join(" ")])).toMatchObject({ command: undefined, words: [argv.join(" ")] });
});

test.each([
  { argv: ["explain", "list"] },
  { argv: ["session", "list", "of", "yesterday"] },
  { argv: ["fix", "set", "theory"] },
  { argv: ["sessio", "n"] },
])("words that only begin like a command are a prompt: $argv", ({ argv }) => {
  expect(parseArguments(argv)).toMatchObject({ command: undefined, words: argv });
});

test("a command has no --output-format, and says what it takes", () => {
  expect(() => parseArguments(["sessions", "list", "--output-format", "json"])).toThrow("take --mode json");
});
