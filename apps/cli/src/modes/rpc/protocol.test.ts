import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SLASH_COMMANDS } from "../interactive/commands/registry.ts";
import { RPC_COMMANDS } from "./protocol.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../../../docs/modes/rpc.md"), "utf8");

test("no parameter of a command has a name that its frame needs", () => {
  const names = Object.values(RPC_COMMANDS).flatMap(({ fields }) => Object.keys(fields));
  expect(names.filter((name) => name === "id" || name === "type")).toEqual([]);
});

test("the guide has a row for every command, with its parameters", () => {
  const documented = [...guide.matchAll(/^\| `([a-z_]+)` +\| ([^|]*)\|/gm)].map(
    ([, name, parameters = ""]) => {
      return [name, [...parameters.matchAll(/`(\w+\??)`/g)].map(([, parameter]) => parameter)];
    },
  );
  const declared = Object.entries(RPC_COMMANDS).map(([name, { fields }]) => [
    name,
    Object.entries(fields).map(([field, row]) => ("isOptional" in row ? `${field}?` : field)),
  ]);
  expect(documented).toEqual(declared);
});

test("the guide says for every interactive command by which commands a program does the same, or why by none", () => {
  const rows = [...guide.matchAll(/^\| `\/([a-z-]+)` +\| ([^|]*)\|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(SLASH_COMMANDS.map(({ name }) => name));
  const unanswered = rows.filter(([, , here = ""]) => {
    const [first = ""] = [...here.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    return !here.startsWith("none: ") && !Object.hasOwn(RPC_COMMANDS, first);
  });
  expect(unanswered.map(([, name]) => name)).toEqual([]);
});
