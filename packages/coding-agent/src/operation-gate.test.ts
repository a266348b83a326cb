import { expect, test } from "vitest";
import { OperationGate } from "./operation-gate.ts";

test("AG-01: of operations that start together one wins, and the others are told what runs", async () => {
  const gate = new OperationGate();
  const operations = ["prompt", "compact", "navigate"] as const;
  const outcomes = await Promise.allSettled(
    operations.map((operation) => gate.run(operation, () => Promise.resolve(operation))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(outcomes[2]).toMatchObject({
    reason: { message: 'Cannot start "navigate": the agent is busy with "prompt".', retryable: true },
  });
  expect(gate.current).toBeUndefined();
});

test("a failed operation leaves the gate open", async () => {
  const gate = new OperationGate();
  await expect(gate.run("compact", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(gate.run("prompt", () => Promise.resolve(1))).resolves.toBe(1);
});

test("abort fires the operation's signal and waits until it is over", async () => {
  const gate = new OperationGate();
  let over = false;
  const running = gate.run("prompt", async (signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await Promise.resolve();
    over = true;
  });
  await gate.abort();
  expect(over).toBe(true);
  await running;
});

test("a closed gate refuses everything", async () => {
  const gate = new OperationGate();
  gate.close();
  await expect(gate.run("prompt", () => Promise.resolve())).rejects.toMatchObject({ code: "agent_disposed" });
});
