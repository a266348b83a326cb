import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { createForeignPlayground, layForeignProject, setTestScript } from "./foreign-project.ts";
import {
  AUTO,
  ask,
  isReady,
  isRunning,
  isWorking,
  openReady,
  quit,
  RESTORED,
  storedPrompts,
  TIMEOUT_MS,
} from "./interactive-steps.ts";
import { createPlayground, sessionFiles } from "./spawn-coppice.ts";
import { KEYS, LAUNCHER, openTerminal } from "./terminal.ts";

/** What the program asks of the terminal when it takes it over. */
const TAKES_PASTES = "\u001b[?2004h";

test("interactive: a prompt streams with tool cards, Esc stops a tool, the next prompt is answered, /quit restores the terminal", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createPlayground();
  const facts = await layForeignProject(playground);
  await setTestScript(playground, "echo begun; exec sleep 300");
  await using terminal = openTerminal({ playground, args: AUTO });
  await terminal.until("the editor and the meter", isReady);

  await ask(terminal, "explain this project", "offline demo");
  const all = terminal.everything();
  expect(all).toContain("› explain this project");
  expect(all).toContain(`${facts.name} ${facts.version}`);
  expect(all).toMatch(/✓ read README\.md \(ok, /);

  terminal.type(`run the tests${KEYS.enter}`);
  await terminal.until("the running card with its output", isRunning);
  terminal.type(KEYS.escape);
  await terminal.until("the end", (screen) => screen.includes("Interrupted.") && !isWorking(screen));
  expect(terminal.screen()).toMatch(/✗ bash /);

  await ask(terminal, "what did I ask so far?", "“run the tests”");
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([
    ["explain this project", "run the tests", "what did I ask so far?"],
  ]);
});

test("interactive: what is queued shows, comes back to the editor at Esc, and is not sent; Ctrl+C twice quits", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await setTestScript(playground, "echo begun; exec sleep 300");
  await using terminal = openTerminal({ playground, args: [...AUTO, "run the tests"] });
  await terminal.until("the tool", isRunning);
  terminal.type(`stop that${KEYS.enter}`);
  terminal.type(`then go on${KEYS.altEnter}`);
  await terminal.until("the queue", (screen) => /→ stop that\n↳ then go on\n[\s\S]* 2 queued$/.test(screen));
  terminal.type(KEYS.escape);
  const isBack = (screen: string) =>
    /Interrupted\.[\s\S]*─\n +stop that\n\s*\n +then go on\n─/.test(screen.replace(/ +$/gm, ""));
  await terminal.until("the queued text in the editor", isBack);
  expect(terminal.screen()).not.toContain("queued");
  terminal.type(KEYS.ctrlC);
  await terminal.until(
    "the hint",
    (screen) => screen.includes("Ctrl+C again quits.") && !screen.includes("then go on"),
  );
  // Two at once: on a slow machine, the time for a second one could be over by now.
  terminal.type(`${KEYS.ctrlC}${KEYS.ctrlC}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.modes()).toEqual(RESTORED);
  expect(await storedPrompts(playground)).toEqual([["run the tests"]]);
});

test("interactive: at 40 columns, wide characters are typed, deleted, sent, answered and stored; a resize leaves no debris", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await writeFile(join(playground.project, "笔记.txt"), `TODO ${"报错".repeat(60)}\n`);
  await using terminal = await openReady({ playground, columns: 40, rows: 20 });
  terminal.type("请解释这个项目错");
  await terminal.until("what was typed", (screen) => screen.includes("请解释这个项目错"));
  terminal.type(KEYS.backspace);
  await terminal.until(
    "the deletion",
    (screen) => screen.includes("请解释这个项目") && !screen.includes("目错"),
  );
  await ask(terminal, "", "offline demo");
  await ask(terminal, "find TODOs", "line 1: TODO");
  expect(terminal.everything()).toContain("笔记.txt");

  terminal.resize(120, 24);
  await terminal.until(
    "the wide footer",
    (screen) => /coppice\/demo · \$0\.000$/.test(screen) && !isWorking(screen),
  );
  terminal.resize(40, 14);
  await terminal.until("the narrow footer", (screen) => /~?\d+k\/64k \d+% {2}coppice.*$/.test(screen));
  expect(terminal.everything().split("› find TODOs")).toHaveLength(2);
  expect(terminal.screen().split("\n")).toHaveLength(14);
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([["请解释这个项目", "find TODOs"]]);
});

test("interactive: the first run without a key explains the ways to get going and starts the demo at Enter", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = openTerminal({ playground, args: [] });
  await terminal.until("the welcome", (screen) => screen.includes("→ Try the demo now"));
  for (const way of ["ANTHROPIC_API_KEY", "--base-url", "--model demo"])
    expect(terminal.screen()).toContain(way);
  terminal.type(KEYS.enter);
  await terminal.until("the editor", isReady);
  await ask(terminal, "explain this project", "offline demo");
  terminal.type(KEYS.ctrlD);
  expect(await terminal.exited).toBe(0);
  expect(terminal.modes()).toEqual(RESTORED);
});

test("interactive: /tree goes back and hands the prompt over for editing, /new begins another session, --continue shows the old one", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground });
  await ask(terminal, "what did I ask so far?", "offline demo");
  await ask(terminal, "where is parseJSON defined?", "dist/index.js:");
  terminal.type(`/tree${KEYS.enter}`);
  await terminal.until("the tree", (screen) => /→▸ +now •/.test(screen));
  terminal.type("where is parse");
  await terminal.until("the narrowed tree", (screen) => /→.*› where is parseJSON defined\?/.test(screen));
  terminal.type(KEYS.enter);
  await terminal.until("the question", (screen) => screen.includes("→ Move there"));
  terminal.type(KEYS.enter);
  const isBack = (screen: string) => /─\n +where is parseJSON defined\?\n─/.test(screen.replace(/ +$/gm, ""));
  await terminal.until(
    "the prompt in the editor",
    (screen) => isBack(screen) && !screen.includes("dist/index.js:"),
  );
  terminal.type(`${KEYS.ctrlC}/name going back${KEYS.enter}`);
  await terminal.until("the name in the footer", (screen) => /going back$/m.test(screen));
  terminal.type(`/new${KEYS.enter}`);
  await terminal.until(
    "the new session",
    (screen) => screen.includes("A new session.") && !/going back$/m.test(screen),
  );
  await ask(terminal, "find TODOs", "offline demo");
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([["what did I ask so far?"], ["find TODOs"]]);

  await using again = openTerminal({ playground, args: ["--model", "demo", "--continue"] });
  await again.until(
    "the conversation as it was",
    (screen) => screen.includes("› find TODOs") && isReady(screen),
  );
  await quit(again);
});

test("B248: a file that would write to the clipboard is read and shown, and nothing of it reaches the terminal", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await mkdir(playground.project, { recursive: true });
  await writeFile(
    join(playground.project, "trap.txt"),
    "TODO \u001b]52;c;ZWNobw==\u0007\u001b[2J\u001b]0;owned\u0007end\n",
  );
  await using terminal = await openReady({ playground });
  await ask(terminal, "find TODOs", "trap.txt");
  terminal.type(KEYS.ctrlO);
  await terminal.until("the output in full", (screen) => /TODO +end/.test(screen));
  await quit(terminal);
  expect(terminal.raw()).not.toContain("\u001b]52");
  expect(terminal.raw()).not.toContain("\u001b]0;owned");
});

test.each([
  { name: "SIGTERM", code: 143, isWorkingThen: true },
  { name: "SIGHUP", code: 129, isWorkingThen: true },
  { name: "SIGINT", code: 130, isWorkingThen: false },
] as const)(
  "B208, CL-14, UI-08: $name flushes the session, restores every mode of the terminal and exits with $code",
  {
    timeout: TIMEOUT_MS,
  },
  async ({ name, code, isWorkingThen }) => {
    await using playground = await createForeignPlayground();
    await setTestScript(playground, "echo begun; exec sleep 300");
    await using terminal = await openReady({ playground, args: AUTO });
    expect(terminal.modes()).toMatchObject({ isBracketedPaste: true, isKittyKeyboard: true });
    const prompt = isWorkingThen ? "run the tests" : "find TODOs";
    if (!isWorkingThen) await ask(terminal, prompt, "offline demo");
    else {
      terminal.type(`${prompt}${KEYS.enter}`);
      await terminal.until("the tool", isRunning);
    }
    terminal.signal(name);
    expect(await terminal.exited).toBe(code);
    expect(terminal.modes()).toEqual(RESTORED);
    expect(await storedPrompts(playground)).toEqual([[prompt]]);
  },
);

test("UI-03, UI-08, UI-24: after an error that nobody caught, the session is whole, the terminal restored, and the error told", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  const trap =
    "let n=0;process.on('SIGUSR2',()=>{if(n++===0)console.error('stray words');else throw new Error('boom')})";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trap)}` };
  await using terminal = await openReady({ playground, env });
  await ask(terminal, "find TODOs", "offline demo");
  terminal.signal("SIGUSR2");
  // What a dependency prints is a notice above the editor, not debris in it (fault B211).
  await terminal.until("the stray words", (screen) =>
    /\n\s*\nstray words\n─/.test(screen.replace(/ +$/gm, "")),
  );
  terminal.signal("SIGUSR2");
  expect(await terminal.exited).toBe(1);
  expect(terminal.modes()).toEqual(RESTORED);
  expect(terminal.screen()).toMatch(/coppice: boom\n +That is a mistake of Coppice or of an extension/);
  expect(await storedPrompts(playground)).toEqual([["find TODOs"]]);
});

test("UI-22, UI-08, CL-14: Ctrl+Z and a stop from outside give the terminal to the shell, fg brings the screen back, and where no shell is nothing hangs", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  const env = { PS1: "shell> " };
  await using terminal = openTerminal({ playground, command: "bash", args: ["--norc", "-i"], env });
  await terminal.until("the shell", (screen) => screen.endsWith("shell>"));
  terminal.type(`${LAUNCHER} --model demo${KEYS.enter}`);
  await terminal.until("the editor", isReady);
  terminal.type(`half a thought${KEYS.ctrlZ}`);
  await terminal.until("the shell again", (screen) => /Stopped[\s\S]*shell>$/.test(screen));
  expect(terminal.modes()).toEqual({ ...RESTORED, isBracketedPaste: terminal.modes().isBracketedPaste });
  terminal.type(`fg${KEYS.enter}`);
  const isBack = (screen: string) => screen.includes("half a thought") && !screen.includes("Stopped");
  await terminal.until("the draft", (screen) => isBack(screen) && isReady(screen));
  // A stop that comes from outside, by a command that the program itself started.
  terminal.type(`${KEYS.ctrlC}!!kill -TSTP $PPID${KEYS.enter}`);
  await terminal.until("the shell once more", (screen) => /Stopped[\s\S]*shell>$/.test(screen));
  expect(terminal.modes()).toEqual({ ...RESTORED, isBracketedPaste: terminal.modes().isBracketedPaste });
  terminal.type(`fg${KEYS.enter}`);
  const isDrawn = (screen: string) => screen.includes("$ kill -TSTP") && !screen.includes("Stopped");
  await terminal.until("the screen", (screen) => isDrawn(screen) && isReady(screen));
  terminal.type(`${KEYS.ctrlC}/quit${KEYS.enter}`);
  await terminal.until("the shell", (screen) => screen.endsWith("shell>"));
  terminal.type(`exec ${LAUNCHER} --model demo${KEYS.enter}`);
  await terminal.until("the editor", (screen) => isReady(screen.split("exec ")[1] ?? ""));
  const taken = () => terminal.raw().split(TAKES_PASTES).length;
  const before = taken();
  terminal.type(KEYS.ctrlZ);
  await terminal.until("the terminal taken over again", () => taken() > before);
  await ask(terminal, "find TODOs", "offline demo");
  await quit(terminal);
});

test("CL-18: what is sent before the editor is there is answered, what is typed stays", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = openTerminal({ playground, args: ["--model", "demo"] });
  // The program has hardly been started: raw mode may be on by now, or not.
  terminal.type(`find TODOs${KEYS.enter}`);
  terminal.type("half a thought");
  await terminal.until(
    "the answer",
    (screen) => screen.includes("✓ grep ") && isReady(screen) && !isWorking(screen),
  );
  expect(terminal.screen()).toContain("half a thought");
  terminal.type(`${KEYS.ctrlC}${KEYS.ctrlC}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.modes()).toEqual(RESTORED);
  expect(await storedPrompts(playground)).toEqual([["find TODOs"]]);
});

test("interactive: the rest of a command and Enter in one piece, with the completions of its beginning in sight, is that command", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = await openReady({ playground });
  terminal.type("/");
  await terminal.until("the completions", (screen) => /→ +help/.test(screen));
  terminal.type(`quit${KEYS.enter}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.modes()).toEqual(RESTORED);
});

test("interactive: after a kill in a tool, --continue says that the outcome of the call is unknown", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await setTestScript(playground, "echo $$ > sleeping.pid; echo begun; exec sleep 300");
  await using terminal = openTerminal({ playground, args: [...AUTO, "run the tests"] });
  await terminal.until("the tool", isRunning);
  const sleeping = Number(await readFile(join(playground.project, "sleeping.pid"), "utf8"));
  terminal.signal("SIGKILL");
  await terminal.exited;
  // A killed program ends nothing; what it left behind is this test's to end.
  process.kill(sleeping, "SIGKILL");
  await using again = openTerminal({ playground, args: ["--continue"] });
  await again.until("the card", (screen) => /\? bash .*\(interrupted, outcome unknown\)/.test(screen));
  expect(again.screen()).not.toContain("not run");
  await again.until("the editor", isReady);
  await quit(again);
});

test("B199: emoji that the terminal draws wider than they are measured leave no rows behind; leaving writes over nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  const family = "👩\u200d👩\u200d👧";
  await using terminal = await openReady({ playground, columns: 40 });
  terminal.type(`${family} find TODOs`);
  const bare = (screen: string) => screen.replace(/ +$/gm, "");
  await terminal.until("one line", (screen) => /─\n \S+ find TODOs\n─/.test(bare(screen)));
  await ask(terminal, "", "offline demo");
  const before = terminal.everything().split("\n");
  expect(before.filter((line) => line.includes("👩"))).toEqual(["› 👩👩👧 find TODOs"]);
  await quit(terminal);
  expect(await storedPrompts(playground)).toEqual([[`${family} find TODOs`]]);
  const left = bare(terminal.everything());
  expect(left).toMatch(/\n--base-url URL --model NAME\.\nGo on with: coppice --session /);
});

test("B027: a session whose directory is gone is offered the current one; leaving writes nothing, the footer says where tools work", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  const repo = new JsonlRepo({ directory: join(playground.home, ".coppice/sessions") });
  const gone = join(playground.home, "gone-for-good");
  const session = await repo.create({ cwd: gone });
  await session.appendMessage({ role: "user", content: "what did I ask so far?", timestamp: 1 });
  await session.close();
  const [path = ""] = await sessionFiles(playground);
  const stored = await readFile(path, "utf8");
  const args = ["--model", "demo", "--session", path];

  await using first = openTerminal({ playground, args });
  await first.until("the offer", (screen) => screen.includes(`directory is gone: ${gone}`));
  first.type(`${KEYS.down}${KEYS.enter}`);
  expect(await first.exited).toBe(0);
  expect(await readFile(path, "utf8")).toBe(stored);

  await using second = openTerminal({ playground, args });
  await second.until("the offer", (screen) => screen.includes(`→ Go on in ${playground.project}`));
  second.type(KEYS.enter);
  await second.until("the footer", (screen) => isReady(screen) && screen.includes(`\n${playground.project}`));
  await ask(second, "explain this project", "offline demo");
  expect(second.everything()).toMatch(/✓ read README\.md \(ok, /);
  await quit(second);
});

test("interactive: !cmd is shared and !!cmd is not; /pin, /pins, /context show; /fork goes on in a copy, /resume goes back", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createForeignPlayground();
  await using terminal = openTerminal({ playground, args: ["--model", "demo"], rows: 60 });
  await terminal.until("the editor and the meter", isReady);
  const say = async (text: string, answer: string) => {
    terminal.type(`${text}${KEYS.enter}`);
    await terminal.until(
      `“${answer}” after “${text}”`,
      (screen) => screen.includes(answer) && !isWorking(screen),
    );
  };
  await ask(terminal, "find TODOs", "✓ grep ");
  terminal.type("say @pack");
  await terminal.until("the files of that name", (screen) => /package\.json +package\.json/.test(screen));
  terminal.type(`\t`);
  await terminal.until("the choice", (screen) => screen.includes("say @package.json"));
  terminal.type(KEYS.ctrlC);
  await say("!echo shared-$((40+2))", "shared-42");
  await say("!!echo own-$((40+3))", "own-43");
  await say("/pin never deploy on a Friday", "Pinned: never deploy on a Friday");
  await say("/pins", "(user)");
  terminal.type(`/context${KEYS.enter}`);
  await terminal.until("the bars", (screen) => screen.includes("The next request:"));
  await terminal.until("the entry of the shared command", (screen) => / in +bashExecution /.test(screen));
  terminal.type(KEYS.escape);
  await terminal.until("the editor", (screen) => !screen.includes("Esc leaves"));

  terminal.type(`/fork${KEYS.enter}`);
  await terminal.until("the list", (screen) => screen.includes("Copy the way to"));
  terminal.type(KEYS.enter);
  await terminal.until("the copy", (screen) => screen.includes("A copy of session"));
  await ask(terminal, "what did I ask so far?", "“find TODOs”");

  terminal.type(`/resume${KEYS.enter}`);
  await terminal.until("the list", (screen) => screen.includes("Go on with"));
  terminal.type(KEYS.enter);
  await terminal.until(
    "the session of before",
    (screen) => isReady(screen) && !screen.includes("Go on with"),
  );
  await quit(terminal);
  const [original, copy] = await storedPrompts(playground);
  expect(original).toEqual(["find TODOs"]);
  expect(copy).toEqual(["find TODOs", "what did I ask so far?"]);
  const [path = ""] = await sessionFiles(playground);
  const shell = (await readFile(path, "utf8")).split("\n").filter((line) => line.includes('"bashExecution"'));
  expect(shell.map((line) => /"output":"([^"]*)"/.exec(line)?.[1])).toEqual(["shared-42", "own-43"]);
  expect(shell.map((line) => line.includes('"excludeFromContext":true'))).toEqual([false, true]);
});
