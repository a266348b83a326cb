import { scriptedModel } from "@coppice/ai/testing";
import { createScenario } from "@coppice/coding-agent/testing";
import { expect, onTestFinished, test } from "vitest";
import type { RpcHost } from "./handler.ts";
import type { RpcResponse } from "./protocol.ts";
import { RpcServer } from "./rpc-server.ts";

const LONG = "an observation about the greenhouse. ".repeat(400);

/** A served agent whose summaries stall once they have begun; `summaryBegins` resolves then. */
async function serveStalled() {
  const begun = Promise.withResolvers<void>();
  let isSummary = false;
  const stall = () => {
    begun.resolve();
    return Promise.withResolvers<void>().promise;
  };
  const { agent, eventsOf } = await createScenario({
    model: scriptedModel({ contextWindow: 16_000 }),
    answers: () => ({
      content: [{ type: "text", text: LONG }],
      ...(isSummary ? { pace: { gate: stall } } : {}),
    }),
  });
  onTestFinished(() => agent.dispose());
  for (const bed of [1, 2, 3]) await agent.prompt(`what about bed ${bed}?`);
  isSummary = true;
  const answers: (RpcResponse & { readonly isBusy: boolean; readonly ends: number })[] = [];
  const server = new RpcServer({
    host: { seat: { agent } } as unknown as RpcHost,
    write: async (response) =>
      void answers.push({ ...response, isBusy: agent.isBusy, ends: eventsOf("compaction_end").length }),
  });
  const take = (command: object) => server.take({ text: JSON.stringify(command) });
  return { agent, eventsOf, server, take, answers, summaryBegins: begun.promise };
}

test.each(["compact", "draft_compaction"] as const)(
  "CL-09: abort while %s waits for its summary is answered once nothing runs, and each id has one answer",
  async (type) => {
    const { agent, server, take, answers, summaryBegins } = await serveStalled();
    const before = (await agent.session.getEntries()).length;
    take({ id: 1, type });
    await summaryBegins;
    take({ id: 2, type: "pins" });
    take({ id: 3, type: "compact" });
    take({ id: 4, type: "abort" });
    take({ id: 5, type: "abort" });
    await server.idle();

    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5]);
    const of = (wanted: number) => answers.find(({ id }) => id === wanted);
    expect(of(1)).toMatchObject({ success: false, error: { code: "aborted" } });
    expect(of(2)).toMatchObject({ success: true, isBusy: true });
    expect(of(3)).toMatchObject({ success: false, error: { code: "agent_busy" }, isBusy: true });
    const ends = type === "compact" ? 1 : 0;
    expect(of(4)).toMatchObject({ success: true, isBusy: false, ends });
    expect(of(5)).toMatchObject({ success: true, isBusy: false, ends });
    expect((await agent.session.getEntries()).length).toBe(before);
  },
);
