import { MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { createCodingAgent } from "./create-coding-agent.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";
import { loadSkills } from "./skills/load-skills.ts";
import { renderSystemPrompt, systemPromptSections } from "./system-prompt.ts";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario, type ScenarioOptions } from "./testing/scenario.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";
import { createRecallTool } from "./tools/recall/tool.ts";

const environment = createLocalEnvironment({ environmentVariables: {} });
const session = await new MemoryRepo().create({ cwd: "/project" });
const builtin = [...createBuiltinTools({ cwd: "/project", environment }), createRecallTool({ session })];
const input = { cwd: "/project", tools: builtin, contextFiles: [] };

async function firstRequestBytes(options: Partial<ScenarioOptions>): Promise<number> {
  const { agent, model } = await createScenario({ tools: builtin, answers: ["hi"], ...options });
  await agent.prompt("hello");
  const { systemPrompt, tools = [], messages } = model.requests[0] ?? { messages: [] };
  const sent = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return Buffer.byteLength(JSON.stringify({ systemPrompt, tools: sent, messages }));
}

test("the first request for 'hello' is at most 6 KB with the default tools, three skills included", async () => {
  const skill = (name: string, description: string) =>
    `---\nname: ${name}\ndescription: ${description}\n---\n${"Do it well. ".repeat(2000)}`;
  const { files } = createMemoryEnvironment({
    files: {
      "/skills/release-notes/SKILL.md": skill(
        "release-notes",
        "Writes release notes from merged changes. Use when the user asks for a changelog or a release.",
      ),
      "/skills/pdf-forms/SKILL.md": skill(
        "pdf-forms",
        "Fills in PDF forms and reads tables from PDF files. Use when a task names a PDF.",
      ),
      "/skills/schema-migration/SKILL.md": skill(
        "schema-migration",
        "Plans and writes database migrations that can be taken back. Use when a schema changes.",
      ),
    },
  });
  const { skills } = await loadSkills({ files, roots: [{ path: "/skills", source: "user" }] });
  expect(skills).toHaveLength(3);
  const plain = await firstRequestBytes({});
  const withSkills = await firstRequestBytes({ skills });
  expect(withSkills).toBeLessThanOrEqual(6144);
  // Skills cost their names, places and purposes, never their bodies.
  expect(withSkills - plain).toBeLessThan(1024);
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
  expect(agent.tools.active).toEqual(["bash", "edit", "find", "grep", "ls", "read", "write", "recall"]);
  await agent.dispose();
});
