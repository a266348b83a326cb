import { expect, test } from "vitest";
import { RpcClient } from "./client.ts";

/** A program that is ready and does something at the first command; the flags of the mode are words to it. */
const program = (atFirstCommand: string) => ({
  command: process.execPath,
  args: [
    "-e",
    `console.log(JSON.stringify({ type: "ready" })); process.stdin.once("data", () => { ${atFirstCommand} });`,
    "--",
  ],
});

test("CL-10: a request that waits when the program dies by a signal is told of which, and so is a later one", async () => {
  const client = await RpcClient.start(program(`process.kill(process.pid, "SIGKILL")`));
  await expect(client.request("get_state")).rejects.toThrow("The agent ended with SIGKILL");
  await expect(client.request("get_state")).rejects.toThrow("The agent ended with SIGKILL");
  expect(await client.close()).toBeNull();
});

test("CL-10: a request after the program has ended is rejected with its exit code and last words", async () => {
  const client = await RpcClient.start(
    program(`console.error("bye"); process.exitCode = 4; process.stdin.destroy()`),
  );
  await expect(client.request("get_state")).rejects.toThrow("The agent ended with 4: bye");
  await expect(client.request("get_state")).rejects.toThrow("The agent ended with 4: bye");
});

test("a program that is not there is told at the start", async () => {
  await expect(RpcClient.start({ command: "/nowhere/coppice" })).rejects.toThrow("ENOENT");
});
