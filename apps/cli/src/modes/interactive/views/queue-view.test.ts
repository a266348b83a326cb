import { stripVTControlCharacters } from "node:util";
import type { AgentMessage } from "@coppice/agent";
import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { queueLines } from "./queue-view.ts";

const message = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });
const plain = createPaint(false);

test("queued text is one inert line each, steering before follow-ups, clipped; many are counted", () => {
  expect(queueLines({ steering: [], followUp: [] }, 20, plain)).toEqual([]);
  const lines = queueLines(
    { steering: [message("stop\n\u001b[2Jthat")], followUp: [message("then write the docs")] },
    16,
    plain,
  );
  expect(lines.map(stripVTControlCharacters)).toEqual(["", "→ stop that", "↳ then write th…"]);
  const many = Array.from({ length: 7 }, (_, index) => message(`m${index}`));
  expect(queueLines({ steering: many, followUp: [] }, 20, plain)).toEqual([
    ...["", "→ m0", "→ m1", "→ m2", "→ m3", "→ m4", "… 2 more"],
  ]);
});
