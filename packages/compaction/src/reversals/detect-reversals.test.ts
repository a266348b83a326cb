import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectReversals } from "./detect-reversals.ts";

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
    "> Change of plan: use nats.",
    "```\nScratch that.\n```",
  ])("leaves alone what takes nothing back: %s", (text) => {
    expect(detectReversals(text)).toEqual([]);
  });

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
