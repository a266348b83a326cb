import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectReversals } from "./detect-reversals.ts";
import { SaidBefore } from "./said-before.ts";

describe("detectReversals", () => {
  test.each([
    "Change of plan for the queue of gateway: not rabbitmq any more, we go with nats-jetstream.",
    "Not ISO dates anymore, unix seconds.",
    "We don't use Redis any longer.",
    "Let's go with valkey instead.",
    "Use five attempts rather than three.",
    "We're switching from npm to pnpm.",
    "Go back to the old parser.",
    "Forget the cache, the numbers do not need one.",
    "I have decided against GraphQL.",
    "This replaces what I said about the port.",
    "The new login page is off the table.",
    "We keep the monolith after all.",
    "Stop writing to the old table any longer.",
    "We'll do the cache with valkey now, memcached is out.",
    "No, take nats for that.",
    "Instead of unix seconds, please write ISO dates.",
    "Rabbitmq was a bad idea; go with nats.",
    "The retry limit is five now, not three.",
    "I'd rather have in-process caching than memcached.",
    "Skip the rename, we keep the old class.",
    "Never mind the rename we talked about.",
    "Please undo the decision about the date format.",
    "Let's change the queue to nats.",
    "We are moving away from rabbitmq.",
    "Let's drop memcached and use valkey.",
    "We settled on nats in the end, not rabbitmq.",
    "Ignore my earlier note on ports.",
    "That decision about rabbitmq is void.",
    "We won't be using GraphQL.",
    "The endpoint is /v2/orders now.",
    "Wir nehmen doch lieber Postgres.",
    "Wir verwenden Redis nicht mehr.",
    "Nicht mehr Bordeaux, sondern Blau.",
    "Nimm Valkey statt Memcached.",
    "Wir haben uns gegen GraphQL entschieden.",
    "Die neue Anmeldeseite ist vom Tisch.",
    "Doch kein Redis.",
    "Statt Redis nehmen wir Valkey.",
    "Der Cache wird jetzt doch mit Valkey gemacht.",
    "Lass das mit Redis, wir nehmen Valkey.",
    "Der Index war ein Fehler.",
    "Redis fliegt raus, wir nehmen Valkey.",
    "Die Entscheidung für Redis gilt nicht mehr.",
    "之前说的端口作废。",
    "缓存改用 valkey。",
    "还是用 nats 吧。",
    "不要 rabbitmq 了，用 nats。",
    "我们不再使用 Redis。",
    "队列用 nats 而不是 rabbitmq。",
  ])("finds what takes something back, word for word: %s", (text) => {
    expect(detectReversals(`Hello there. ${text}`)).toEqual([text]);
  });

  test.each([
    "I changed my mind about the queue. Nats it is.",
    "Scratch that. Three attempts are enough.",
    "Actually, the port is 8081. Please check.",
    "On second thought, the name is fine. Leave it.",
    "Correction: the table is called orders. It is in the billing schema.",
    "Planänderung bei der Warteschlange. Jetzt kommt Nats.",
    "Das habe ich mir anders überlegt. Die Tests zuerst.",
    "我改主意了。先写测试。",
  ])("one that only announces it comes with the next sentence: %s", (text) => {
    expect(detectReversals(`${text}\nAnd the rest as it was.`).map((one) => one.replace(/\s/g, ""))).toEqual([
      text.replace(/\s/g, ""),
    ]);
  });

  test.each([
    "The server does not start any more.",
    "Why do we not use Redis any more?",
    "Should we switch to pnpm?",
    "Don't forget the tests.",
    "Read the settings of billing.",
    "We go with rabbitmq.",
    "Der Server startet nicht mehr.",
    "Ich kann mich nicht mehr anmelden.",
    "Wollen wir auf pnpm wechseln?",
    "为什么不再使用 Redis？",
    "你不用解释了。",
    "不要紧，缓存过期了。",
    "Statistik lesen.",
    "We will set up the server and move on to docs.",
    "The build is broken now.",
    "先写测试。",
    "In the end of the file add a newline.",
    "After all endpoints exist, write the docs.",
    "Do not log any more detail than the id.",
    "Actually, the tests pass.",
    "Let's make the header into a component.",
    "取消按钮不工作",
    "I get null instead of a list.",
    "> Change of plan: use nats.",
    "```\nScratch that.\n```",
  ])("leaves alone what takes nothing back: %s", (text) => {
    expect(detectReversals(text)).toEqual([]);
  });

  test.each([
    { before: "Cache the answers in redis.", text: "no redis please, a map will do" },
    { before: "Store it in Postgres.", text: "sqlite please, no server" },
    { before: "The port is 8080.", text: "the port should be 9090" },
    { before: "Use tabs.", text: "Can we use spaces instead?" },
    { before: "Nimm MySQL.", text: "ohne MySQL, eine Datei reicht" },
    { before: "Le bouton est vert.", text: "le bouton sera bleu" },
    { before: "Usamos Jest.", text: "nada de Jest" },
    { before: "端口用 8080。", text: "端口改成 9000" },
    { before: "ボタンは青です。", text: "ボタンは赤に変更してください" },
  ])(
    "what names a decision and something else in its place ends it, only where it was made: $text",
    ({ before, text }) => {
      const said = new SaidBefore();
      expect(detectReversals(text, said)).toEqual(text.includes("instead") ? [text] : []);
      said.addUser(before);
      expect(detectReversals(text, said)).toEqual([text]);
    },
  );

  test("what the model said can be set against something else, but no report of it ends anything", () => {
    const said = new SaidBefore();
    expect(detectReversals("Use a dataclass instead of a dict.", said)).toEqual([]);
    said.addModel("I keep them in a dict.");
    expect(detectReversals("Use a dataclass instead of a dict.", said)).toHaveLength(1);
    expect(detectReversals("No dict holds the key, look at the error.", said)).toEqual([]);
  });

  test("the time for a long conversation grows with its length", () => {
    const said = new SaidBefore();
    const adversarial = ["the the the ", "use not no ", "hm, ok, ", "a-b.c ", "ne pas ", "应该", "1.1"].map(
      (piece) => piece.repeat(Math.ceil(290 / piece.length)).slice(0, 290),
    );
    const startMs = performance.now();
    for (let at = 0; at < 2000; at++) {
      const text = `${adversarial[at % adversarial.length]}\nUse redis ${at} for the cache of billing, not the ${at - 1}.`;
      detectReversals(text, said);
      said.addUser(text);
    }
    // Far above what a busy machine needs; comparing all with all takes minutes.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  }, 120_000);

  test("what it finds in any text are sentences of that text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000, unit: "grapheme" }), (text) => {
        for (const reversal of detectReversals(`Actually ${text}`)) {
          for (const word of reversal.split(" ")) expect(`Actually ${text}`).toContain(word);
        }
      }),
    );
  });
});
