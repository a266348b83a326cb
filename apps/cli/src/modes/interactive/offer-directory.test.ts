import { expect, test } from "vitest";
import type { Layout } from "./layout.ts";
import { offerDirectory } from "./offer-directory.ts";

async function offer(gone: string, answer: string | undefined) {
  const titles: string[] = [];
  const layout = {
    pick({ title }: Parameters<Layout["pick"]>[0]) {
      titles.push(...title);
      return Promise.resolve(answer);
    },
  };
  const isTaken = await offerDirectory(layout as Layout, { gone, instead: "/current" });
  return { isTaken, title: titles[0] };
}

test("B027: only the choice of the current directory goes on; Esc leaves", async () => {
  const answers = ["here", "leave", undefined];
  const taken = await Promise.all(answers.map(async (answer) => (await offer("/gone", answer)).isTaken));
  expect(taken).toEqual([true, false, false]);
});

test("B248: the name of the directory comes from a file and cannot drive the terminal", async () => {
  const { title } = await offer("/a\u001b]52;c;ZWNobw==\u0007b\nc", undefined);
  expect(title).toBe("The session's directory is gone: /ab c");
});
