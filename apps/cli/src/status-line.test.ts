import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createStatusLine } from "./status-line.ts";

const ERASE = "\r\u001b[2K";

test("a status line is rewritten in place and gives way to whatever else is written", () => {
  const stream = new PassThrough({ encoding: "utf8" });
  const status = createStatusLine(stream);
  status.erase();
  stream.write("before\n");
  status.show("one");
  status.show("two");
  stream.write("stray\n");
  stream.write("more\n");
  status.show("three");
  status.erase();
  status.erase();
  expect(stream.read()).toBe(`before\none${ERASE}two${ERASE}stray\nmore\nthree${ERASE}`);
});
