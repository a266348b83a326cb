import { vendors } from "@coppice/ai";
import { expect, test } from "vitest";
import { readEnvironment } from "./env.ts";

test("reads the variables of Coppice, and blank ones count as unset", () => {
  const environment = readEnvironment({
    COPPICE_HOME: "/x",
    COPPICE_SESSION_DIR: " ",
    COPPICE_DEBUG: "1",
    HOME: "/home/u",
    NO_COLOR: "1",
  });
  expect(environment).toMatchObject({
    coppiceHome: "/x",
    sessionDirectory: undefined,
    homeDirectory: "/home/u",
    isDebug: true,
    allowsColor: false,
  });
});

test("finds a provider's key in the order of its variables, and none for a name of Object.prototype", () => {
  const environment = readEnvironment({ GOOGLE_API_KEY: "second", GEMINI_API_KEY: " first\n" });
  expect(["google", "anthropic", "toString", "nobody"].map(environment.keyFor)).toEqual([
    "first",
    undefined,
    undefined,
    undefined,
  ]);
});

test("B251: commands of the model get every variable but the keys", () => {
  const keys = Object.fromEntries(
    [
      ...Object.values(vendors).flatMap(({ keyVariables }) => keyVariables),
      "COPPICE_API_KEY",
      "MY_SERVER_KEY",
    ].map((name) => [name, "secret"]),
  );
  const environment = readEnvironment({ ...keys, PATH: "/bin", GITHUB_TOKEN: "t" });
  expect(environment.forCommands(["MY_SERVER_KEY"])).toEqual({ PATH: "/bin", GITHUB_TOKEN: "t" });
});

test.each([
  { variables: {}, allowsColor: true },
  { variables: { TERM: "xterm-256color" }, allowsColor: true },
  { variables: { TERM: "dumb" }, allowsColor: false },
  { variables: { NO_COLOR: "1", TERM: "xterm-256color" }, allowsColor: false },
  // As no-color.org has it: empty counts as unset.
  { variables: { NO_COLOR: "" }, allowsColor: true },
  { variables: { TERM: "screen", TMUX: "/tmp/tmux-0/default,1,0" }, allowsColor: true },
])("UI-18: with $variables, colours are allowed: $allowsColor", ({ variables, allowsColor }) => {
  expect(readEnvironment(variables).allowsColor).toBe(allowsColor);
});
