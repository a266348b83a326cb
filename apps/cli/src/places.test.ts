import { expect, test } from "vitest";
import { resolvePlaces } from "./places.ts";

const environment = { coppiceHome: undefined, sessionDirectory: undefined, homeDirectory: "/home/u" };

test("everything of the user lies in ~/.coppice", () => {
  expect(resolvePlaces({ environment, cwd: "/src/p" })).toEqual({
    userDirectory: "/home/u/.coppice",
    settingsFile: "/home/u/.coppice/settings.json",
    authFile: "/home/u/.coppice/auth.json",
    trustFile: "/home/u/.coppice/trust.json",
    modelsFile: "/home/u/.coppice/models.json",
    keybindingsFile: "/home/u/.coppice/keybindings.json",
    sessionsDirectory: "/home/u/.coppice/sessions",
    cacheDirectory: "/home/u/.coppice/cache",
    snapshotsDirectory: "/home/u/.coppice/snapshots",
  });
});

test.each([
  {
    name: "COPPICE_HOME moves all",
    home: "/c",
    variable: undefined,
    flag: undefined,
    expected: "/c/sessions",
  },
  {
    name: "CL-16: ~ is the home directory",
    home: "~/c",
    variable: undefined,
    flag: undefined,
    expected: "/home/u/c/sessions",
  },
  { name: "the variable beats the folder", home: "/c", variable: "/v", flag: undefined, expected: "/v" },
  { name: "the flag beats the variable", home: "/c", variable: "/v", flag: "f", expected: "/src/p/f" },
  {
    name: "a ~ inside a name is a letter",
    home: undefined,
    variable: "/a/~b",
    flag: undefined,
    expected: "/a/~b",
  },
])("$name", ({ home, variable, flag, expected }) => {
  const places = resolvePlaces({
    environment: { ...environment, coppiceHome: home, sessionDirectory: variable },
    cwd: "/src/p",
    sessionDirectory: flag,
  });
  expect(places.sessionsDirectory).toBe(expected);
});
