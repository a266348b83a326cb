const BYTES = 200_000;

/** What the answer ends with, and holds nowhere else. */
export const END = "THE-END-OF-IT";

const PARAGRAPH = [
  "## What the mill does\n",
  "The river runs past the **old mill**, and `turn()` is called *once* per round; see [the log](./log.md).\n",
  "- first the wheel\n- then the stone\n  - and the flour\n",
  "```ts\nexport function turn(wheel: Wheel): number {\n  // one round\n  return wheel.spokes * 2;\n}\n```\n",
  "| part | rounds |\n|---|---|\n| wheel | 12 |\n| stone | 3 |\n",
].join("\n");

/** A long answer in markdown. */
export const ANSWER = `${PARAGRAPH.repeat(Math.ceil(BYTES / PARAGRAPH.length)).slice(0, BYTES)}\n\n${END}`;
