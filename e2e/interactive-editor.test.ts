import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createForeignPlayground } from "./foreign-project.ts";
import { ask, openReady, quit, storedPrompts, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import type { Playground } from "./spawn-coppice.ts";
import { KEYS, openTerminal } from "./terminal.ts";

const [CTRL_G, CTRL_V, CTRL_MINUS] = ["\u0007", "\u0016", "\u001f"];
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** A program that stands for a person's editor. */
async function layEditor({ home }: Playground, script: string): Promise<string> {
  const path = join(home, "editor.sh");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

test("UI-20: the prompt is written in $VISUAL; an editor that fails leaves it as it was", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  // The first time it changes the text, then it fails.
  const editor = await layEditor(
    playground,
    '[ -e "$HOME/failing" ] && exit 3\necho "IN THE EDITOR"; touch "$HOME/failing"; cat "$2" > "$HOME/seen"; printf "find\\nTODOs\\n" > "$2"',
  );
  const env = { VISUAL: `"${editor}" --wait` };
  await using terminal = await openReady({ playground, env });
  terminal.type(`draft${CTRL_G}`);
  await terminal.until("the text of the editor", (screen) => /─\n find *\n TODOs *\n─/.test(screen));
  expect(await readFile(join(playground.home, "seen"), "utf8")).toBe("draft");
  terminal.type(CTRL_G);
  await terminal.until("the failure", (screen) => screen.includes("ended with 3; the prompt is as it was"));
  await ask(terminal, "", "offline demo");
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([["find\nTODOs"]]);
});

test("interactive: files that a prompt mentions and a pasted image go along, and are a line on the screen", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["Seen.", "Again."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await writeFile(join(playground.project, "note.txt"), "the word is XYZZY\n");
  const image = join(playground.home, "my shot.png");
  await writeFile(image, Buffer.from(PNG, "base64"));
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], columns: 140 });
  terminal.type(`compare @note.txt with ${paste(image.replace(" ", "\\ "))}`);
  await terminal.until("the mention", (screen) => screen.includes(`@"${image}"`));
  await ask(terminal, "", "Seen.");
  expect(terminal.everything()).toContain("[note.txt, 1 line]");
  expect(terminal.everything()).not.toContain("XYZZY");
  expect(terminal.everything()).toContain("[image: png, 1×1, 70 bytes]");
  // Nothing says that this terminal draws images.
  for (const command of ["\u001b_G", "\u001b]1337;"]) expect(terminal.raw()).not.toContain(command);
  const body = JSON.stringify(server.requests.at(-1));
  expect(body).toContain("XYZZY");
  expect(body).toContain(PNG.slice(0, 40));

  // Back for editing: what was written, without the file.
  terminal.type(`/tree${KEYS.enter}`);
  await terminal.until("the tree", (screen) => screen.includes("· conversation"));
  terminal.type(`${KEYS.up}${KEYS.enter}`);
  await terminal.until("what to do", (screen) => screen.includes("→ Move there"));
  terminal.type(KEYS.enter);
  await terminal.until("the text", (screen) => /─\n +compare @note\.txt with @"[^\n]*\n─/.test(screen));
  terminal.type(` please${CTRL_MINUS}`);
  await terminal.until("the undone word", (screen) => !screen.includes("please"));
  terminal.type(KEYS.ctrlC);
  await quit(terminal);
  expect(server.rejections).toEqual([]);
});

/**
 * Makes files named `slow.txt` unreadable until the file `gate` is there, and every synchronous look at them an error: a
 * disk that hangs, without a clock.
 */
const SLOW_FILES = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const isSlow = (path) => String(path).endsWith("slow.txt");
const gate = process.env.HOME + "/gate";
const { access } = fs.promises;
const open = async () => {
  while (!(await access(gate).then(() => true, () => false))) await new Promise((done) => setTimeout(done, 20));
};
for (const name of ["stat", "lstat", "open", "readFile", "realpath", "access"]) {
  const real = fs.promises[name];
  fs.promises[name] = async (path, ...rest) => {
    if (isSlow(path)) await open();
    return real(path, ...rest);
  };
}
for (const name of Object.keys(fs).filter((key) => key.endsWith("Sync"))) {
  const real = fs[name];
  fs[name] = Object.assign((path, ...rest) => {
    if (isSlow(path)) throw new Error(name + " of " + path + " holds the screen up");
    return real(path, ...rest);
  }, real);
}
syncBuiltinESMExports();
`;

test("PF-05: while the disk hangs under a mentioned file, keys are taken and commands run; the prompt goes once the file is there", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["Seen."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await writeFile(join(playground.project, "slow.txt"), "the word is XYZZY\n");
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SLOW_FILES)}` };
  await using terminal = await openReady({ playground, args: ["--model", "wire/wire-1"], env });
  terminal.type(`look at @slow.txt please${KEYS.enter}`);
  terminal.type("typed meanwhile");
  await terminal.until("what is typed", (screen) => screen.includes("typed meanwhile"));
  terminal.type(`${KEYS.ctrlC}/hotkeys${KEYS.enter}`);
  await terminal.until("a command", (screen) => screen.includes("keybindings.json"));
  expect(server.requests).toEqual([]);
  await writeFile(join(playground.home, "gate"), "");
  await terminal.until("the answer", (screen) => screen.includes("Seen."));
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("XYZZY");
  await quit(terminal);
});

test("UI-19: the footer follows the branch when git puts another HEAD in its place", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  const head = join(playground.project, ".git/HEAD");
  await writeFile(head, "ref: refs/heads/before\n");
  await using terminal = openTerminal({ playground, args: ["--model", "demo"] });
  await terminal.until("the branch", (screen) => screen.includes("(before)"));
  await writeFile(`${head}.lock`, "ref: refs/heads/after\n");
  await rename(`${head}.lock`, head);
  await ask(terminal, "find TODOs", "offline demo");
  await terminal.until("the other branch", (screen) => screen.includes("(after)"));
  await quit(terminal);
});

test("B202, UI-05: a large paste is a chip on the screen and is sent whole", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground });
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
  terminal.type(`what did I ask so far? ${paste(lines)}`);
  await terminal.until("the chip", (screen) => screen.includes("[paste #1 +40 lines]"));
  await ask(terminal, "", "offline demo");
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([[`what did I ask so far? ${lines}`]]);
});

test("UI-20: Ctrl+V attaches the image that the clipboard's program prints; what it says instead is told, and the draft stays", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using server = await createWireServer({ answers: ["Seen."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  const programs = join(playground.home, "bin");
  await mkdir(programs);
  await writeFile(join(playground.home, "shot.png"), Buffer.from(PNG, "base64"));
  const script =
    '#!/bin/sh\n[ -e "$HOME/empty" ] && { echo "Nothing is copied" >&2; exit 1; }\ncat "$HOME/shot.png"\n';
  await writeFile(join(programs, "wl-paste"), script);
  await chmod(join(programs, "wl-paste"), 0o755);
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    TMPDIR: playground.home,
    WAYLAND_DISPLAY: "wayland-0",
  };
  await using terminal = await openReady({
    playground,
    args: ["--model", "wire/wire-1"],
    env,
    columns: 160,
  });
  terminal.type(`what is this? ${CTRL_V}`);
  await terminal.until("the mention", (screen) => /what is this\? @\S+clipboard\.png/.test(screen));
  await writeFile(join(playground.home, "empty"), "");
  terminal.type(CTRL_V);
  await terminal.until("why there is none", (screen) =>
    screen.includes("wl-paste gives no image: Nothing is copied"),
  );
  expect(terminal.screen()).toMatch(/what is this\? @\S+clipboard\.png/);
  await ask(terminal, "", "Seen.");
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(PNG.slice(0, 40));
  expect(terminal.everything()).toContain("[image: png, 1×1, 70 bytes]");
  await quit(terminal);
  expect(server.rejections).toEqual([]);
});
