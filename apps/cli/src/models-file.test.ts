import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readModelsFile } from "./models-file.ts";

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "models-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "models.json");
  await writeFile(path, text);
  return path;
}

test("CL-17: a missing file declares nothing, and a broken one stops nothing", async () => {
  const empty = { providers: {}, keys: new Map(), logins: new Map(), notices: [] };
  expect(await readModelsFile("/nowhere/models.json")).toEqual({ file: empty, error: undefined });
  const path = await fileWith('{"providers": []}');
  expect(await readModelsFile(path)).toEqual({
    file: empty,
    error: expect.objectContaining({
      code: "invalid_config",
      message: `${path}: providers must be an object, but is []`,
    }),
  });
});

test("a misspelt field is named with the one that was meant", async () => {
  const path = await fileWith('{"providers": {"openai": {"modles": []}}}');
  expect((await readModelsFile(path)).file.notices).toEqual([
    `${path}: providers.openai.modles is not known and has no effect; did you mean "models"?`,
  ]);
});
