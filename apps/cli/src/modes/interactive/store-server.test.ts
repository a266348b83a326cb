import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storeServer } from "./store-server.ts";

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "coppice-server-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A person who answers in turn. */
function layoutOf(...answers: readonly (string | undefined)[]) {
  const left = [...answers];
  return { input: async () => left.shift() };
}

test("a server and a model of it become a provider of models.json; leaving either question writes nothing", async () => {
  await using place = await folder();
  const modelsFile = join(place.path, "models.json");
  expect(await storeServer({ layout: layoutOf(undefined), modelsFile })).toBeUndefined();
  expect(await storeServer({ layout: layoutOf("http://localhost:1/v1", " "), modelsFile })).toBeUndefined();
  await expect(readFile(modelsFile)).rejects.toThrow("ENOENT");
  expect(await storeServer({ layout: layoutOf(" http://localhost:1/v1 ", "qwen3"), modelsFile })).toBe(
    "local",
  );
  expect(JSON.parse(await readFile(modelsFile, "utf8"))).toEqual({
    providers: {
      local: { baseUrl: "http://localhost:1/v1", api: "openai-completions", models: [{ id: "qwen3" }] },
    },
  });
});

test("a file that somebody wrote is left as it is, and what to add is told; so is what is no address", async () => {
  await using place = await folder();
  const modelsFile = join(place.path, "models.json");
  await writeFile(modelsFile, "// mine\n{}");
  await expect(
    storeServer({ layout: layoutOf("http://localhost:1/v1", "m"), modelsFile }),
  ).rejects.toMatchObject({
    message: `${modelsFile} exists and was left as it is`,
  });
  expect(await readFile(modelsFile, "utf8")).toBe("// mine\n{}");
  await expect(storeServer({ layout: layoutOf("localhost"), modelsFile })).rejects.toMatchObject({
    message: '"localhost" is no address such as http://localhost:11434/v1',
  });
});
