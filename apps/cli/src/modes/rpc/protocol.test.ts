import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RPC_COMMANDS } from "./protocol.ts";

test("no parameter of a command has a name that its frame needs", () => {
  const names = Object.values(RPC_COMMANDS).flatMap(({ fields }) => Object.keys(fields));
  expect(names.filter((name) => name === "id" || name === "type")).toEqual([]);
});

test("the guide has a row for every command, with its parameters", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../../../docs/modes/rpc.md"), "utf8");
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
