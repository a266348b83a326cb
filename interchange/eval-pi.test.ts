import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { piSubject } from "../apps/cli/src/eval/pi-subject.ts";
import { EvalScript } from "../apps/cli/src/eval/script.ts";
import { EVAL_WINDOW_TOKENS } from "../apps/cli/src/eval/subject.ts";
import { ScratchFolder } from "./scratch-folder.ts";

const manifest = join(import.meta.dirname, "node_modules/@earendil-works/pi-coding-agent/package.json");
const { version, bin } = JSON.parse(await readFile(manifest, "utf8")) as {
  readonly version: string;
  readonly bin: { readonly pi: string };
};
const command = [process.execPath, join(dirname(manifest), bin.pi)] as const;

test("coppice eval lives a session through with pi: two processes, one conversation, its tools on the project's files", async () => {
  await using folder = await ScratchFolder.create();
  const [project, scratch] = [join(folder.directory, "project"), join(folder.directory, "scratch")];
  await mkdir(project);
  await mkdir(scratch);
  await writeFile(join(project, "a.ini"), "port = 4711\n");
  const script = new EvalScript({ facts: [], seed: 1 });
  await using server = await createWireServer({
    answers: script.answer,
    contextWindow: EVAL_WINDOW_TOKENS,
    extraFields: ["prompt_cache_retention"],
  });
  const kind = piSubject({ command, path: dirname(process.execPath) });
  await kind.check?.();
  await using subject = await kind.start({ server, project, scratch });
  const turns = [
    { prompt: "Look at a.ini.", steps: [{ tool: "read", path: "a.ini" }], answer: "I have read it." },
    { prompt: "What did you read?", steps: [], answer: "A port." },
  ] as const;
  for (const turn of turns) {
    script.begin(turn);
    await subject.say(turn);
  }
  const view = script.lastView.join("\n");
  for (const text of ["Look at a.ini.", "port = 4711", "I have read it.", "What did you read?"]) {
    expect(view).toContain(text);
  }
  expect(await subject.compactions()).toBe(0);
  expect(server.rejections).toEqual([]);
});

test("the version that a person is told to install is the one that the tests run", async () => {
  const kind = piSubject({ command: ["pi-that-nobody-has"], path: "" });
  await expect(kind.check?.()).rejects.toMatchObject({
    advice: expect.stringContaining(`@earendil-works/pi-coding-agent@${version}`),
  });
});
