import { MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { otherBranches } from "./other-branches.ts";

async function longBranches() {
  const session = await new MemoryRepo().create({ cwd: "/p" });
  const append = () => session.appendCustomEntry("step");
  const root = await append();
  const long: string[] = [];
  for (let at = 0; at < 1000; at++) long.push(await append());
  await session.moveTo(long[9] ?? "");
  const side = [await append(), await append()];
  await session.moveTo(root);
  const here = await session.getBranch();
  let walks = 0;
  const { getBranchIds } = session;
  session.getBranchIds = (id) => {
    walks++;
    return getBranchIds.call(session, id);
  };
  const found = async (ids: readonly string[]) =>
    (await otherBranches(session, here, ids)).map((branch) => branch.map(({ id }) => id));
  return { root, long, side, found, walks: () => walks };
}

test("entries of one branch are walked to once, in whatever order they come", async () => {
  const { root, long, found, walks } = await longBranches();
  expect(await found([root, ...long])).toEqual([long]);
  expect(walks()).toBe(1);
  expect(await found(long.toReversed())).toEqual([long]);
});

test("each branch comes whole from where it parts, in the order of the last of their entries that are asked for", async () => {
  const { long, side, found } = await longBranches();
  const [ofLong = "", ofSide = ""] = [long[500], side[0]];
  const [one, other] = [long.slice(0, 501), [...long.slice(0, 10), ofSide]];
  expect(await found([long[0] ?? "", ofLong, ofSide])).toEqual([one, other]);
  expect(await found([ofSide, long[0] ?? "", ofLong])).toEqual([other, one]);
});
