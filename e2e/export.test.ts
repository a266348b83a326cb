import { createHash } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { seededSecrets } from "@coppice/coding-agent/testing";
import { expect, test, vi } from "vitest";
import { NODE, ROOT } from "./checkout-copy.ts";
import { openPage, type PageDocument } from "./export-dom.ts";
import { call, everydaySession, SessionText, text } from "./export-fixture.ts";
import { hostileSession, PIXEL } from "./export-hostile.ts";
import { createPlayground, type Playground, runCoppice } from "./spawn-coppice.ts";

// Every test starts the program at least once, on machines that have other things to do.
vi.setConfig({ testTimeout: 120_000 });

async function createProject(): Promise<Playground> {
  const playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  return playground;
}

/** Exports a session file and gives the page and what the command said. */
async function exported(session: SessionText, ...args: readonly string[]) {
  await using playground = await createProject();
  await session.writeTo(join(playground.project, "session.jsonl"));
  const run = await runCoppice({
    playground,
    args: ["export", "./session.jsonl", "-o", "page.html", ...args],
  });
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  return { html: await readFile(join(playground.project, "page.html"), "utf8"), stderr: run.stderr };
}

const shownText = (document: PageDocument, selector = "main") =>
  document.querySelector(selector)?.textContent ?? "";
const titles = (document: PageDocument) =>
  [...document.querySelectorAll(".tree-row")].map((row) => row.textContent);

test("a session becomes a page: prompts, answers, cards, thinking, diff, totals, chart, labels", async () => {
  const { html, stderr } = await exported(everydaySession());
  expect(stderr).toBe("No secret of a known form was found; look through the page before you share it.\n");
  const page = await openPage(html);
  page.press("e");
  const shown = shownText(page.document);
  for (const part of [
    ...["The login page forgets where I came from.\nAfter signing in I want to be back there."],
    ...["The redirect is probably lost in the session middleware.\nLet me look at the routes."],
    ...["const session = await sessionOf(request); // may be new", "✗ keeps the address", "exit 1 · 2.3 s"],
    ...["What was wrong", "read it first", "login fixed", "# Changes\n\n- Signing in leads back"],
    ...["28 prompts, 30 answers, 4 tool calls", "2 compactions", "Wrote 62 bytes"],
  ]) {
    expect(shown).toContain(part);
  }
  expect([...page.document.querySelectorAll(".diff-line.added")].map((line) => line.textContent)).toEqual([
    '+6   const to = session.returnTo ?? "/";\n',
    "+7   renew(session);\n",
    "+8   return redirect(to, 303);\n",
  ]);
  expect(page.document.querySelectorAll(".markdown table td")).toHaveLength(6);
  expect(page.document.querySelectorAll(".compaction-mark")).toHaveLength(2);
  expect(page.document.querySelectorAll(".cost-bar").length).toBeGreaterThan(20);
  expect(page.document.querySelector("h1")?.textContent).toBe("Back to where one came from");
  expect(page.document.querySelector(".ansi-fg-red")?.textContent).toBe("✗ keeps the address");
  // What two compactions left behind is dimmed, what came after is not.
  expect(page.document.querySelectorAll(".entry.forgotten").length).toBeGreaterThan(20);
  expect(shownText(page.document, ".entry:last-child")).toContain("Glad it works.");
  expect(page.document.querySelector(".entry:last-child.forgotten")).toBeNull();
  expect(page.faults).toEqual([]);
});

test("a click in the tree, a branch of the list, the arrows at a fork and an address lead to any branch", async () => {
  const { html } = await exported(everydaySession());
  const page = await openPage(html);
  const { document } = page;
  expect(shownText(document)).not.toContain("A signed cookie works");

  const row = titles(document).findIndex((title) => title?.startsWith("Use a cookie"));
  expect(row).toBeGreaterThan(0);
  document.querySelectorAll(".tree-row")[row]?.setAttribute("id", "cookie-row");
  page.click("#cookie-row");
  await page.drawn();
  expect(shownText(document)).toContain("A signed cookie works");
  expect(shownText(document, ".entry.chosen")).toContain("Use a cookie instead of the session.");

  page.click(".siblings button");
  await page.drawn();
  expect(shownText(document)).not.toContain("A signed cookie works");
  expect(document.querySelectorAll(".branch-choice option")).toHaveLength(2);

  const there = await openPage(html, "#entry=cookie");
  expect(shownText(there.document, ".entry.chosen")).toContain("A signed cookie works");
  const link = there.document.querySelector(".entry.chosen header .link");
  expect(link?.getAttribute("href")).toBe("#entry=cookie");
});

test("the search finds what was said on every branch and goes there; keys go from entry to entry", async () => {
  const { html } = await exported(everydaySession());
  const page = await openPage(html);
  const { document } = page;
  const field = document.querySelector("input");
  if (field === null) throw new Error("no field");
  field.value = "SIGNED cookie";
  field.dispatchEvent(new (document.defaultView as unknown as { Event: typeof Event }).Event("input"));
  expect(shownText(document, ".hit-panel")).toContain("2 entries");
  page.click(".hits li");
  await page.drawn();
  expect(shownText(document, ".entry.chosen")).toContain("A signed cookie works");
  page.press("p");
  expect(shownText(document, ".entry.chosen")).toContain("Use a cookie instead of the session.");
  page.press("k");
  expect(shownText(document, ".entry.chosen")).toContain("What was wrong");
  page.press("d");
  page.press("d");
  expect(document.documentElement.getAttribute("data-theme")).toBe("dark");
});

test("EX-01: nothing of a session runs, loads or becomes markup", async () => {
  const { html } = await exported(hostileSession(), "--no-redact");
  const page = await openPage(html);
  page.press("e");
  const { document } = page;
  expect(page.faults).toEqual([]);
  expect(document.querySelectorAll("script")).toHaveLength(2);
  for (const tag of [
    "iframe",
    "object",
    "embed",
    "form",
    "link",
    "base",
    "audio",
    "video",
    "foreignObject",
  ]) {
    expect(document.querySelectorAll(tag), tag).toHaveLength(0);
  }
  for (const node of document.querySelectorAll("*")) {
    const names = [...node.attributes].map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("on") || name === "style" || name === "srcdoc")).toEqual(
      [],
    );
  }
  for (const link of document.querySelectorAll("a")) {
    expect(link.getAttribute("href")).toMatch(/^(?:#entry=|https?:\/\/|mailto:)/);
  }
  const images = [...document.querySelectorAll("img")].map((image) => image.getAttribute("src"));
  expect(images).toEqual([`data:image/png;base64,${PIXEL}`]);
  const shown = shownText(document);
  expect(shown).toContain("<img src=x onerror=alert(1)>");
  expect(shown).toContain("</script><script>alert(2)</script>");
  expect(shown).toContain("image of type image/svg+xml");
  // The tree and the titles show the same texts; neither they nor the file hold what drives a terminal or reorders.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be left.
  const driving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  expect(shownText(document, ".page")).not.toMatch(driving);
  expect(html).not.toMatch(driving);
});

test("EX-01: the policy lets one script and one style through, by their hashes, and no address at all", async () => {
  const { html } = await exported(hostileSession());
  const hash = (part: string) => `'sha256-${createHash("sha256").update(part).digest("base64")}'`;
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = ""]) => script);
  expect(scripts).toHaveLength(1);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.split("; ");
  expect(policy).toEqual([
    "default-src 'none'",
    `script-src ${hash(scripts[0] ?? "")}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  // Neither script nor data may reach for another address.
  expect(scripts[0]).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bfetch\(|XMLHttpRequest|import\(|\beval\(|new Function/,
  );
  const data = html.slice(html.indexOf('id="session-data">'), html.indexOf("</script>"));
  expect(data.slice(18)).not.toMatch(/[<>&]/);
});

test("EX-02, EX-04: what is shown is what was stored, without theme and extensions: blanks, tags, system messages, hidden messages, unknown kinds", async () => {
  const session = new SessionText();
  session.message("s", { role: "system", content: "You are careful.", sections: { rules: "  keep blanks" } });
  session.user("u", "  two  blanks\n\tand a tab\n<b>tags</b> &amp; *stars*");
  session.assistant("a", "stored as text");
  session.add("h", {
    type: "custom_message",
    customType: "note.hidden",
    content: "a hidden message",
    display: false,
  });
  session.add("x", { type: "from_the_future", payload: { deep: "kept" } });
  session.add("c", { type: "custom", customType: "coppice.pin", data: { text: "never push" } });
  session.message("b", {
    role: "bashExecution",
    command: "ls -la",
    output: "total 0",
    exitCode: 0,
    cancelled: false,
    truncated: false,
  });
  session.user("n", null);
  session.message("m", {
    role: "toolResult",
    toolCallId: "gone",
    toolName: "read",
    content: [{ type: "text", text: "an orphan" }],
    isError: false,
  });
  const page = await openPage((await exported(session)).html);
  page.press("e");
  const shown = shownText(page.document);
  for (const part of [
    ...[
      "You are careful.\n\n  keep blanks",
      "  two  blanks\n\tand a tab\n<b>tags</b> &amp; *stars*",
      "stored as text",
    ],
    ...["a hidden message", "Entry of an unknown kind: from_the_future", '"deep": "kept"', "never push"],
    ...["$ ls -la", "total 0", "an orphan"],
  ]) {
    expect(shown).toContain(part);
  }
});

test("a damaged file is exported all the same, and the page says what is wrong with it", async () => {
  const session = everydaySession();
  session.raw('{"type":"message","id":"torn","parentId":"bye","mess');
  session.user("after", "still here", "nowhere");
  const page = await openPage((await exported(session)).html);
  expect(shownText(page.document, ".problems")).toMatch(/damage/);
  expect(page.document.body.textContent).toContain("still here");
});

test("500 seeded secrets leave nothing in an exported page; --no-redact keeps them", {
  timeout: 120_000,
}, async () => {
  const secrets = seededSecrets(500, 11);
  const { html, stderr } = await exported(secretSession(secrets.map(({ text: holder }) => holder)));
  const data = JSON.parse(/id="session-data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
  const whole = JSON.stringify(data);
  const leaks = secrets.filter(({ secret }) =>
    secret.split("\n").some((line) => whole.includes(JSON.stringify(line).slice(1, -1))),
  );
  expect(leaks.map(({ kind, text: holder }) => `${kind}: ${holder}`)).toEqual([]);
  expect(stderr).toMatch(/^\d{3} secrets were replaced; /);
  const bare = await exported(secretSession(secrets.map(({ text: holder }) => holder)), "--no-redact");
  expect(bare.stderr).toMatch(/^Secrets were not looked for/);
  expect(bare.html).toContain(secrets[0]?.secret ?? "");
});

/** Secrets where sessions have them: in prompts, answers, thinking, arguments, output, names and labels. */
function secretSession(holders: readonly string[]): SessionText {
  const session = new SessionText();
  holders.forEach((holder, index) => {
    const id = `e${index}`;
    const places = [
      () => session.user(id, `here: ${holder}\nthanks`),
      () => session.assistant(id, [{ type: "thinking", thinking: holder }, text(`It is\n\n${holder}\n`)]),
      () => session.assistant(id, [call(`c${index}`, "bash", { command: `run <<'X'\n${holder}\nX` })]),
      () =>
        session.result(id, `c${index - 1}`, `line 1\n${holder}\nline 3`, {
          details: { diff: `+1 ${holder}` },
        }),
      () =>
        session.add(id, {
          type: "compaction",
          summary: `## Goal\n${holder}`,
          firstKeptEntryId: id,
          tokensBefore: 9,
        }),
      () => session.add(id, { type: "custom", customType: "x", data: { nested: [{ value: holder }] } }),
      () =>
        session.message(id, {
          role: "bashExecution",
          command: holder,
          output: holder,
          cancelled: false,
          truncated: false,
        }),
    ];
    places[index % places.length]?.();
  });
  session.add("name", { type: "session_info", name: holders[3] });
  session.add("label", { type: "label", targetId: "e0", label: holders[4] });
  return session;
}

test("coppice export takes the newest session of the directory, writes it for its owner alone, and replaces only exports", async () => {
  await using playground = await createProject();
  await runCoppice({ playground, args: ["--model", "demo", "-p", "hello there"] });
  const run = await runCoppice({ playground, args: ["export"] });
  expect(run).toMatchObject({ exitCode: 0 });
  const path = run.stdout.trim();
  expect(path).toMatch(/\/[0-9a-f-]{36}\.html$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await openPage(await readFile(path, "utf8"))).document.body.textContent).toContain("hello there");

  expect(await runCoppice({ playground, args: ["export"] })).toMatchObject({ exitCode: 0 });
  await writeFile(join(playground.project, "mine.html"), "<h1>mine</h1>");
  const refused = await runCoppice({ playground, args: ["export", "-o", "mine.html"] });
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("mine.html is there already and is no export");
  expect(await readFile(join(playground.project, "mine.html"), "utf8")).toBe("<h1>mine</h1>");

  const piped = await runCoppice({ playground, args: ["export", "-o", "-"] });
  expect(piped.stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
});

test("CL-17: an export needs no valid configuration, no key and no model", async () => {
  await using playground = await createProject();
  await everydaySession().writeTo(join(playground.project, "session.jsonl"));
  await mkdir(join(playground.home, ".coppice"), { recursive: true });
  for (const name of ["settings.json", "models.json", "auth.json"]) {
    await writeFile(join(playground.home, ".coppice", name), "{ broken");
  }
  const run = await runCoppice({ playground, args: ["export", "./session.jsonl"] });
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
});

test("EX-05: an export that cannot be written is one line and an exit code, and leaves nothing behind", async () => {
  await using playground = await createProject();
  await everydaySession().writeTo(join(playground.project, "session.jsonl"));
  const run = await runCoppice({
    playground,
    args: ["export", "./session.jsonl", "-o", "no/such/folder/x.html"],
  });
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("no/such/folder/x.html");
  const missing = await runCoppice({ playground, args: ["export", "nothing"] });
  expect(missing.exitCode).not.toBe(0);
});

test("EX-05: an export needs no other program and no network; two at once into one file leave a whole page", async () => {
  await using playground = await createProject();
  await everydaySession().writeTo(join(playground.project, "session.jsonl"));
  const refusesNetwork = `
    import net from "node:net";
    import { syncBuiltinESMExports } from "node:module";
    net.Socket.prototype.connect = () => { throw new Error("An export has no business there."); };
    syncBuiltinESMExports();`;
  const exportOnce = () =>
    runCoppice({
      playground,
      program: [
        NODE,
        "--conditions=@coppice/source",
        `--import=data:text/javascript,${encodeURIComponent(refusesNetwork)}`,
        join(ROOT, "apps/cli/src/main.ts"),
      ],
      args: ["export", "./session.jsonl", "-o", "talk.html"],
      env: { PATH: "" },
    });
  const runs = await Promise.all([exportOnce(), exportOnce()]);
  for (const run of runs) expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(playground.project, "talk.html"), "utf8")).toMatch(
    /^<!doctype html>[\s\S]*<\/html>\n$/,
  );
});
