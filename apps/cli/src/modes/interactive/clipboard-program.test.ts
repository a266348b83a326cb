import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clipboardProgram } from "./clipboard-program.ts";

const PNG = "\\211PNG\\r\\n\\032\\nrest";
const native = { getImage: async () => new Uint8Array([1]) };

/** A folder of programs, each a shell script, that is the whole PATH. */
async function programs(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "coppice-clipboard-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

async function read(script: string, timeoutMs = 60_000): Promise<Uint8Array | null | undefined> {
  const environmentVariables = { PATH: await programs({ "wl-paste": script }), WAYLAND_DISPLAY: "wayland-0" };
  return clipboardProgram({
    ...{ environmentVariables, platform: "linux", timeoutMs, native },
  })?.getImage();
}

test("UI-20: on Wayland the image is what wl-paste prints", async () => {
  const image = await read(`[ "$*" = "--type image/png" ] && printf '${PNG}'`);
  expect(Buffer.from(image ?? []).toString("latin1")).toBe("\u0089PNG\r\n\u001a\nrest");
});

test.each([
  ["fails", "echo 'Nothing is copied' >&2; exit 1", "wl-paste gives no image: Nothing is copied"],
  ["fails without a word", "exit 3", "wl-paste gives no image: it says nothing."],
  ["prints something else", "echo text", "wl-paste gives no image: it says nothing."],
  ["writes to the screen", "printf 'a\\033[2Jb' >&2; exit 1", "wl-paste gives no image: ab"],
])("UI-20: a program that %s is told with what it says", async (_, script, says) => {
  await expect(read(script)).rejects.toThrow(says);
});

test("UI-20: a program that hangs is ended, and told", async () => {
  await expect(read("while :; do :; done", 50)).rejects.toThrow(
    "wl-paste gives no image: it does not answer.",
  );
});

test("UI-20: the terminal library reads where no program belongs to the screen, or it is not installed", async () => {
  const PATH = await programs({ xclip: `printf '${PNG}'` });
  const options = { platform: "linux", timeoutMs: 60_000, native } as const;
  const wayland = clipboardProgram({
    ...options,
    environmentVariables: { PATH, WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" },
  });
  expect(await wayland?.getImage()).toEqual(new Uint8Array([1]));
  const x11 = { ...options, environmentVariables: { PATH, DISPLAY: ":0" } };
  expect(clipboardProgram(x11)).toBe(native);
  const withoutHelper = clipboardProgram({ ...x11, native: undefined });
  expect((await withoutHelper?.getImage())?.length).toBe(12);
  expect(clipboardProgram({ ...x11, environmentVariables: { PATH }, native: undefined })).toBeUndefined();
  expect(clipboardProgram({ ...x11, platform: "darwin" })).toBe(native);
});
