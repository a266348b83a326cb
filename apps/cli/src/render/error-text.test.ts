import { ProviderError } from "@coppice/ai";
import { SessionError } from "@coppice/session";
import { expect, test } from "vitest";
import { CliError } from "../cli-error.ts";
import { CrashError } from "../crash-error.ts";
import { failureOf, failureText, inOneLine } from "./error-text.ts";

const missing = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });

test.each<{ readonly name: string; readonly error: unknown; readonly isCrash: boolean }>([
  { name: "a wrong command line", error: new CliError("usage", "No such flag"), isCrash: false },
  {
    name: "an outage of the provider",
    error: new ProviderError({ code: "overloaded", message: "529" }),
    isCrash: false,
  },
  {
    name: "a session that is open elsewhere",
    error: new SessionError({ code: "locked", message: "locked" }),
    isCrash: false,
  },
  { name: "a file that is not there", error: missing, isCrash: false },
  { name: "a cancelled run", error: new DOMException("This was aborted", "AbortError"), isCrash: false },
  {
    name: "a server that cannot be reached",
    error: new TypeError("fetch failed", { cause: missing }),
    isCrash: false,
  },
  { name: "an error in words", error: new Error("The question was left."), isCrash: false },
  { name: "a mistake of the program", error: new TypeError("x is undefined"), isCrash: true },
  { name: "an endless recursion", error: new RangeError("Maximum call stack"), isCrash: true },
  { name: "an error that nobody caught", error: new CrashError(new Error("boom")), isCrash: true },
  { name: "something thrown that is no error", error: new CrashError("boom"), isCrash: true },
])("UI-24: $name is told as what it is, and a stack only where it is asked for", ({ error, isCrash }) => {
  const failure = failureOf(error);
  const text = failureText(failure, { withStack: false });
  expect(text.includes("That is a mistake of Coppice or of an extension, not yours.")).toBe(isCrash);
  expect(text).not.toMatch(/^ +at /m);
  expect(failureText(failure, { withStack: true }).includes("\n    at ")).toBe(
    failure.stack?.includes("\n    at ") === true,
  );
});

test.each([
  { message: "No such flag", advice: "Leave it out.", line: "No such flag. Leave it out." },
  { message: "It is gone.", advice: "Make it anew.", line: "It is gone. Make it anew." },
  { message: "Which one?", advice: "Name it.", line: "Which one? Name it." },
  { message: "No luck", advice: undefined, line: "No luck" },
  { message: "Locked", advice: "Wait.\n  Or go on.", line: "Locked. Wait. Or go on." },
])("in one line: $line", ({ line, ...failure }) => {
  expect(inOneLine(failure)).toBe(line);
});
