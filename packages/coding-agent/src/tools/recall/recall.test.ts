import { estimateTextTokens } from "@coppice/compaction";
import { assistantMessage } from "@coppice/compaction/testing";
import { MemoryRepo, type Session } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runTool } from "../../testing/run-tool.ts";
import { createRecallTool } from "./tool.ts";

const newSession = () => new MemoryRepo().create({ cwd: "/project" });
const user = (session: Session, text: string) =>
  session.appendMessage({ role: "user", content: text, timestamp: 1 });
const answer = (session: Session, text: string) => session.appendMessage(assistantMessage(text));
const result = (session: Session, text: string, toolName = "bash") =>
  session.appendMessage({
    ...{ role: "toolResult", toolCallId: "c", toolName, isError: false, timestamp: 1 },
    content: [{ type: "text", text }],
  });

async function compactAll(session: Session): Promise<void> {
  await session.appendCompaction({ summary: "Gone.", firstKeptEntryId: "", tokensBefore: 1 });
}

const recall = (session: Session, params: object) => runTool(createRecallTool({ session }), params);

test("an entry that a compaction took away comes back whole by its id", async () => {
  const session = await newSession();
  const id = await user(session, "The staging port is 48117.");
  await compactAll(session);
  const { text, details } = await recall(session, { handle: id });
  expect(text).toMatch(new RegExp(`^\\[${id}\\] user, .*\nThe staging port is 48117\\.$`));
  expect(details).toEqual({ entryIds: [id], wantedIds: [id] });
});

test("a span comes back in order, and a model may copy the whole line of the summary", async () => {
  const session = await newSession();
  const first = await user(session, "one");
  const second = await answer(session, "two");
  await session.appendLabel(second, "mark");
  const third = await result(session, "three");
  await compactAll(session);
  const { text, details } = await recall(session, { handle: `${first}..${third} (3 entries): one` });
  expect(details).toEqual({ entryIds: [first, second, third], wantedIds: [] });
  expect(text.match(/one|two|three/g)).toEqual(["one", "two", "three"]);
});

test("a masked result comes back as it was, images named", async () => {
  const session = await newSession();
  const id = await session.appendMessage({
    ...{ role: "toolResult", toolCallId: "c", toolName: "read", isError: false, timestamp: 1 },
    content: [
      { type: "text", text: "the whole result" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ],
  });
  await session.appendContextEdit(id, { content: "[masked]" });
  const { text } = await recall(session, { handle: id });
  expect(text).toContain("result of read");
  expect(text).toContain("the whole result\n[image, image/png]");
});

test("a search finds other branches and compacted entries, and says where they are", async () => {
  const session = await newSession();
  const root = await user(session, "start");
  const left = await answer(session, "The LEFT branch used redis on port 6390.");
  await session.moveTo(root);
  await answer(session, "nothing here");
  const { text, details } = await recall(session, { query: "redis port" });
  expect(details).toMatchObject({ entryIds: [left] });
  expect(text).toContain(`[${left}] assistant`);
  expect(text).toContain("other branch");
});

test("words that stand together are found before newer entries that hold one of them", async () => {
  const session = await newSession();
  const wanted = await user(session, "The mailer on canary retries 7 times.");
  for (let index = 0; index < 100; index++) await answer(session, `canary retries ${index}`);
  await compactAll(session);
  const { text, details } = await recall(session, { query: "retries canary mailer" });
  expect(details).toEqual({ entryIds: [wanted], wantedIds: [wanted] });
  expect(text).toContain("7 times");
});

test("a word that is nowhere does not keep the others from being found together", async () => {
  const session = await newSession();
  const wanted = await user(session, "The mailer on canary retries 7 times.");
  for (let index = 0; index < 100; index++) await answer(session, `canary retries ${index}`);
  await compactAll(session);
  const { details } = await recall(session, { query: "retries hippopotamus canary mailer" });
  expect(details).toEqual({ entryIds: [wanted], wantedIds: [wanted] });
});

test("what the model sees anyway comes last, and what the tool said before never", async () => {
  const session = await newSession();
  const old = await user(session, "The database password hint is bluebird.");
  await compactAll(session);
  await session.appendMessage(
    assistantMessage([
      { type: "toolCall", id: "c", name: "recall", arguments: { query: "password hint bluebird" } },
    ]),
  );
  await result(session, "password hint bluebird", "recall");
  const asked = await user(session, "What is the password hint?");
  const { details } = await recall(session, { query: "password hint" });
  expect(details).toEqual({ entryIds: [old, asked], wantedIds: [old] });
});

test("what the tool said before, summaries and newer entries in sight do not hide an original", async () => {
  const session = await newSession();
  const old = await user(session, "The staging port is 48117.");
  for (let index = 0; index < 40; index++) {
    await session.appendCompaction({
      summary: "The staging port is known.",
      firstKeptEntryId: "",
      tokensBefore: 1,
    });
    await session.appendMessage(
      assistantMessage([{ type: "toolCall", id: "c", name: "recall", arguments: { query: "staging port" } }]),
    );
    await result(session, "The staging port is 48117.", "recall");
  }
  for (let index = 0; index < 40; index++) await user(session, `staging port, question ${index}`);
  const { details } = await recall(session, { query: "staging port" });
  expect(details).toMatchObject({ wantedIds: [old] });
});

test("a long match is quoted around the words, with the handle for the rest", async () => {
  const session = await newSession();
  const noise = "port of call, long ago. ".repeat(2000);
  const id = await result(session, `${noise}NEEDLE: the admin port is 9443. ${noise}`);
  await compactAll(session);
  const { text } = await recall(session, { query: "admin port needle", budget: 500 });
  expect(text).toContain("NEEDLE: the admin port is 9443.");
  expect(text).toMatch(new RegExp(`\\[Characters \\d+–\\d+ of \\d+\\. The handle ${id}@\\d+ goes on\\.\\]`));
  expect(text.length).toBeLessThan(500 * 5);
});

test("no quote begins or ends within a key, where exports would not know it", async () => {
  const session = await newSession();
  const keys = Array.from({ length: 300 }, (_, index) => `ghp_${String(index).padStart(36, "0")}`);
  const id = await result(session, keys.join("\n"));
  await compactAll(session);
  const pieces: string[] = [];
  const shown = async (params: object) => {
    const { text } = await recall(session, params);
    pieces.push(...(text.match(/\w*ghp_\w*|\d{10,}/g) ?? []));
    return text;
  };
  let handle: string | undefined = id;
  while (handle !== undefined) {
    [, handle] = /The handle (\S+) goes on/.exec(await shown({ handle, budget: 500 })) ?? [];
  }
  expect(pieces).toEqual(keys);
  for (const key of keys.filter((_, index) => index % 30 === 7)) await shown({ query: key, budget: 500 });
  expect(pieces.filter((piece) => !keys.includes(piece))).toEqual([]);
});

test("following the handles gives every character of every entry of a span once, each time within the budget", async () => {
  const text = fc.array(fc.constantFrom("a", "b ", "é", "漢字", "😀", "word "), {
    minLength: 1,
    maxLength: 900,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (parts) => {
      const texts = parts.map((part) => part.join(""));
      const session = await newSession();
      const ids: string[] = [];
      for (const whole of texts) ids.push(await user(session, `<${whole}>`));
      await compactAll(session);
      const got = new Map(ids.map((id) => [id, ""]));
      const handles = [`${ids[0]}..${ids.at(-1)}`];
      for (let handle = handles.shift(); handle !== undefined; handle = handles.shift()) {
        const { text: page } = await recall(session, { handle, budget: 200 });
        expect(estimateTextTokens(page)).toBeLessThanOrEqual(200);
        for (const [, id = "", shown = ""] of page.matchAll(/^\[([0-9a-f]{16})\] user, \S+\n([^\n]*)/gm)) {
          got.set(id, `${got.get(id)}${shown}`);
        }
        handles.push(...[...page.matchAll(/The handle (\S+) goes on/g)].map(([, next = ""]) => next));
        handles.push(...[...page.matchAll(/in this span: handle (\S+)\.\]/g)].map(([, next = ""]) => next));
      }
      expect(ids.map((id) => got.get(id))).toEqual(texts.map((whole) => `<${whole}>`));
    }),
    { numRuns: 100 },
  );
}, 60_000);

test("a span is given the wrong way round as well; one of a single entry was asked for as that", async () => {
  const session = await newSession();
  const [first, second] = [await user(session, "one"), await user(session, "two")];
  expect((await recall(session, { handle: `${second}..${first}` })).details).toEqual({
    entryIds: [first, second],
    wantedIds: [],
  });
  const only = { entryIds: [first], wantedIds: [first] };
  expect((await recall(session, { handle: `${first}..${first} (1 entries)` })).details).toEqual(only);
});

test("to read on in an entry is no second recall of it", async () => {
  const session = await newSession();
  const id = await user(session, "word ".repeat(2000));
  const { text, details } = await recall(session, { handle: id, budget: 500 });
  expect(details).toEqual({ entryIds: [id], wantedIds: [id] });
  const [, handle] = /The handle (\S+) goes on/.exec(text) ?? [];
  expect((await recall(session, { handle })).details).toEqual({ entryIds: [id], wantedIds: [] });
});

test("an answer repeats little of what was asked", async () => {
  const session = await newSession();
  await user(session, "start");
  const long = "x".repeat(10_000);
  for (const params of [{ handle: long }, { handle: `..${long}` }, { query: long }]) {
    expect((await recall(session, params)).text.length).toBeLessThan(250);
  }
});

test("what cannot be recalled says what to do", async () => {
  const session = await newSession();
  const root = await user(session, "start");
  const left = await answer(session, "left");
  await session.moveTo(root);
  const right = await answer(session, "right");
  await session.appendCustomEntry("x", {});
  const message = async (params: object) => (await recall(session, params)).text;
  expect(await message({ handle: "nope" })).toBe(
    "There is no entry nope in this session. Use query to look for words.",
  );
  expect(await message({ handle: `${left}..${right}` })).toBe(
    `${left} does not lie before ${right}: they are on different branches.`,
  );
  expect(await message({ query: "zebra" })).toBe(
    'Nothing in this session holds "zebra". Try fewer or other words.',
  );
  expect(await message({})).toBe("Give either a handle or a query.");
  expect(await message({ handle: left, query: "x" })).toBe("Give either a handle or a query.");
  expect(await message({ handle: ".." })).toContain("is no handle");
});

test("what an answer repeats of a handle or a query never ends in half a character", async () => {
  const session = await newSession();
  const id = await user(session, "nothing of it");
  const long = `${"x".repeat(79)}😀y`;
  const customType = `${"x".repeat(73)}😀y`;
  const note = await session.appendCustomMessageEntry({ customType, content: "A note.", display: true });
  const said = await Promise.all([
    ...[{ handle: long }, { handle: `${id}..${long}` }, { query: long }, { handle: note }].map((params) =>
      recall(session, params).then(
        ({ text }) => text,
        (error: Error) => error.message,
      ),
    ),
  ]);
  expect(said.map((text) => text.includes("x".repeat(73)))).toEqual([true, true, true, true]);
  expect(said.join("")).not.toMatch(/\ufffd/);
});
