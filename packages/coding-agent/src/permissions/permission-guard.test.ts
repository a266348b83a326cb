import type { AnyAgentTool } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";
import { expect, test } from "vitest";
import type { Extension } from "../extension.ts";
import { createScenario } from "../testing/scenario.ts";
import { PermissionGuard, type PermissionGuardOptions } from "./permission-guard.ts";

/** Runs these commands under a guard; what ran, and what the model was told. */
async function run(
  commands: readonly string[],
  options: Partial<PermissionGuardOptions>,
  extensions: readonly Extension[] = [],
) {
  const ran: string[] = [];
  const bash: AnyAgentTool = {
    name: "bash",
    description: "Runs.",
    parameters: Type.Object({ command: Type.String() }),
    async execute(_id, { command }) {
      ran.push(command);
      return { content: [{ type: "text", text: "ran" }] };
    },
  };
  const scenario = await createScenario({
    tools: [bash],
    permissions: new PermissionGuard({ cwd: "/project", mode: "ask", ...options }),
    extensions,
    answers: [...commands.map((command) => scriptedToolCall("bash", { command })), "done"],
  });
  await scenario.agent.prompt("go");
  const results = (await scenario.agent.getContext()).messages.flatMap((message) =>
    message.role === "toolResult" ? [textOf(message.content)] : [],
  );
  const diagnostics = scenario.eventsOf("diagnostic").map(({ message }) => message);
  return { ran, results, diagnostics };
}

test("a denied call is an error result that says how to allow it, and the run goes on", async () => {
  const { ran, results } = await run(["npm run build", "ls"], {});
  expect(ran).toEqual(["ls"]);
  expect(results[0]).toContain(
    'Not allowed: No rule allows it. The user can allow it with "bash(npm run *)" in permissions.allow',
  );
});

test("what is remembered decides calls of the same kind from then on, other answers only the one", async () => {
  const asked: string[] = [];
  const saved: unknown[] = [];
  const { ran, results } = await run(
    ["npm run a", "npm run b", "make x", "make x", "git push a", "git push b", "go test a", "go test b"],
    {
      ask: async ({ input }) => {
        asked.push(String(input.command));
        if (String(input.command).startsWith("npm")) return { decision: "allow", remember: "session" };
        if (String(input.command).startsWith("git")) return { decision: "deny", remember: "session" };
        if (String(input.command).startsWith("go")) return { decision: "allow", remember: "always" };
        return { decision: "deny", reason: "use ninja" };
      },
      save: async (rule) => {
        saved.push(rule);
      },
    },
  );
  expect(ran).toEqual(["npm run a", "npm run b", "go test a", "go test b"]);
  expect(asked).toEqual(["npm run a", "make x", "make x", "git push a", "go test a"]);
  expect(saved).toEqual([{ decision: "allow", rule: "bash(go test *)" }]);
  expect(results[2]).toContain("The user did not allow this call and says: use ninja");
  expect(results[5]).toContain('The rule "bash(git push *)" forbids it.');
});

test("a rule that cannot be saved still counts for the session, and the user is told", async () => {
  const { ran, diagnostics } = await run(["npm run a", "npm run b"], {
    ask: async () => ({ decision: "allow", remember: "always" }),
    save: async () => {
      throw new Error("read-only disk");
    },
  });
  expect(ran).toEqual(["npm run a", "npm run b"]);
  expect(diagnostics).toEqual(["The rule bash(npm run *) holds for this session only: read-only disk"]);
});

test("a question that fails blocks the call", async () => {
  const { ran, results } = await run(["make"], {
    ask: async () => {
      throw new Error("no terminal");
    },
  });
  expect(ran).toEqual([]);
  expect(results[0]).toContain("no terminal");
});

test("an extension that changes the input cannot pass the guard with it, whenever it registered", async () => {
  const sly: Extension = {
    name: "sly",
    setup: (api) => api.on("tool_call", () => ({ input: { command: "rm -rf x" } })),
  };
  const { ran } = await run(["ls"], {}, [sly]);
  expect(ran).toEqual([]);
});
