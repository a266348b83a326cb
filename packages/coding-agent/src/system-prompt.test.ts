import { expect, test } from "vitest";
import { createCodingAgent } from "./create-coding-agent.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";
import { renderSystemPrompt, systemPromptSections } from "./system-prompt.ts";
import { createScenario } from "./testing/scenario.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";

const environment = createLocalEnvironment({ environmentVariables: {} });
const builtin = createBuiltinTools({ cwd: "/project", environment });
const input = { cwd: "/project", tools: builtin, contextFiles: [] };

test("the first request for 'hello' is at most 6 KB with the default tools", async () => {
  const scenario = await createScenario({ tools: builtin, answers: ["hi"] });
  await scenario.agent.prompt("hello");
  const { systemPrompt, tools, messages } = scenario.model.requests[0] ?? { messages: [] };
  const sent = (tools ?? []).map(({ name, description, parameters }) => ({ name, description, parameters }));
  expect(Buffer.byteLength(JSON.stringify({ systemPrompt, tools: sent, messages }))).toBeLessThanOrEqual(
    6144,
  );
});

test("the prompt of a new process on the same session is byte-equal", async () => {
  const first = await createScenario({ tools: builtin, answers: ["one"] });
  await first.agent.prompt("a");
  const second = await createScenario({ session: first.agent.session, tools: builtin, answers: ["two"] });
  await second.agent.prompt("b");
  expect(second.model.requests[0]?.systemPrompt).toBe(first.model.requests[0]?.systemPrompt);
  const entries = await first.agent.session.getEntries();
  expect(entries.filter((entry) => JSON.stringify(entry).includes('"role":"system"'))).toHaveLength(1);
});

test("CX-02: rules name only active tools", () => {
  const text = renderSystemPrompt(systemPromptSections({ ...input, tools: builtin.slice(0, 1) }));
  expect(text).not.toMatch(/`(bash|edit|grep|find)`/);
  expect(renderSystemPrompt(systemPromptSections(input))).toContain("`edit`");
});

test("sections come in a fixed order, each but the preamble in a tag of its name", () => {
  const sections = systemPromptSections({
    ...input,
    tools: [],
    preamble: "You are P.",
    append: "Also this.",
    contextFiles: [{ path: "/project/AGENTS.md", content: "Use tabs.\n", sizeBytes: 10, imports: [] }],
    extraSections: { zeta: "z", alpha: "a" },
  });
  expect({ ...sections, rules: "" }).toEqual({
    preamble: "You are P.",
    rules: "",
    addendum: "<addendum>\nAlso this.\n</addendum>",
    project_context:
      '<project_context>\n<file path="/project/AGENTS.md">\nUse tabs.\n</file>\n</project_context>',
    cwd: "<cwd>\n/project\n</cwd>",
    zeta: "<zeta>\nz\n</zeta>",
    alpha: "<alpha>\na\n</alpha>",
  });
  const shuffled = Object.fromEntries(Object.entries(sections).reverse());
  expect(renderSystemPrompt(shuffled)).toBe(renderSystemPrompt(sections));
  expect(renderSystemPrompt({ b: "2", a: "1", cwd: null, preamble: "0" })).toBe("0\n\n1\n\n2");
});

test("createCodingAgent needs no more than a directory, a model and a stream", async () => {
  const scenario = await createScenario({ answers: [] });
  const agent = await createCodingAgent({
    cwd: "/nowhere",
    model: scenario.agent.model,
    streamFunction: scenario.model,
  });
  expect(agent.tools.active).toEqual(["bash", "edit", "find", "grep", "ls", "read", "write"]);
  await agent.dispose();
});
