import { expect, test } from "vitest";
import { expandCommand } from "../resources/expand-command.ts";
import type { ResourceSource } from "../resources/resource-root.ts";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
import { createScenario } from "../testing/scenario.ts";
import { loadSkills } from "./load-skills.ts";
import { expandSkill, skillsSection } from "./skill-text.ts";

const head = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo ${name}.\n`;

function load(
  content: Readonly<Record<string, string>>,
  options: {
    readonly roots?: Readonly<Record<string, ResourceSource>>;
    readonly links?: Readonly<Record<string, string>>;
    readonly reserved?: ReadonlySet<string>;
  } = {},
) {
  const { files } = createMemoryEnvironment({ files: content });
  for (const [path, target] of Object.entries(options.links ?? {})) files.link(path, target);
  const roots = Object.entries(options.roots ?? { "/skills": "user" as const });
  return loadSkills({
    files,
    roots: roots.map(([path, source]) => ({ path, source })),
    ...(options.reserved === undefined ? {} : { reserved: options.reserved }),
  });
}

test("B222, CX-03: a folder with SKILL.md is one skill and ends the search; other files and ignored folders are silent", async () => {
  const { skills, diagnostics } = await load({
    "/skills/a/SKILL.md": head("a", "First."),
    "/skills/a/sub/SKILL.md": head("sub", "Inner."),
    "/skills/group/b/SKILL.md": head("b", "Second."),
    "/skills/README.md": "not a skill",
    "/skills/node_modules/c/SKILL.md": head("c", "No."),
    "/skills/.hidden/d/SKILL.md": head("d", "No."),
    "/skills/.gitignore": "build/\n",
    "/skills/build/e/SKILL.md": head("e", "No."),
  });
  expect(skills.map(({ name, path }) => [name, path])).toEqual([
    ["a", "/skills/a/SKILL.md"],
    ["b", "/skills/group/b/SKILL.md"],
  ]);
  expect(diagnostics).toEqual([]);
});

test("B220: an unquoted colon loads; what is broken is one diagnostic with its file, and the others load", async () => {
  const { skills, diagnostics } = await load({
    "/skills/good/SKILL.md": head("good", "Use when: x"),
    "/skills/mute/SKILL.md": "---\nname: mute\n---\n",
    "/skills/odd/SKILL.md": head("Odd Name", "x"),
    "/skills/moved/SKILL.md": head("other", "Renamed."),
  });
  expect(skills.map(({ name, description }) => [name, description])).toEqual([
    ["good", "Use when: x"],
    ["other", "Renamed."],
  ]);
  expect(diagnostics).toEqual([
    '/skills/moved/SKILL.md: its name "other" is not that of its folder "moved".',
    "/skills/mute/SKILL.md: it has no description and is not used.",
    expect.stringContaining('/skills/odd/SKILL.md: its name "Odd Name" is not made of'),
  ]);
});

test("B223: a cycle of links and a second way to the same folder are visited once", async () => {
  const { skills, diagnostics } = await load(
    { "/skills/a/SKILL.md": head("a", "First.") },
    { links: { "/skills/loop": "/skills", "/skills/twin": "/skills/a" } },
  );
  expect([skills.length, diagnostics]).toEqual([1, []]);
});

test("B224, B225: command line over project over user over package, built-in commands over all, one notice each", async () => {
  const { skills, diagnostics } = await load(
    {
      "/user/x/SKILL.md": head("x", "user"),
      "/package/x/SKILL.md": head("x", "package"),
      "/project/x/SKILL.md": head("x", "project"),
      "/cli/x/SKILL.md": head("x", "cli"),
      "/user/quit/SKILL.md": head("quit", "no"),
    },
    {
      roots: { "/user": "user", "/package": "package", "/project": "project", "/cli/x": "cli" },
      reserved: new Set(["quit"]),
    },
  );
  expect(skills.map(({ description }) => description)).toEqual(["cli"]);
  expect(diagnostics).toEqual([
    '/project/x/SKILL.md: the skill "x" is hidden by /cli/x/SKILL.md.',
    '/user/quit/SKILL.md: the skill "quit" has the name of a built-in command, which wins.',
    '/user/x/SKILL.md: the skill "x" is hidden by /cli/x/SKILL.md.',
    '/package/x/SKILL.md: the skill "x" is hidden by /cli/x/SKILL.md.',
  ]);
});

test("the model is told names and places, and a call by the user carries the body and their words", async () => {
  const { files } = createMemoryEnvironment({
    files: {
      "/skills/a/SKILL.md": head("a", "First."),
      "/skills/b/SKILL.md": "---\nname: b\ndescription: Own.\ndisable-model-invocation: true\n---\nB.",
    },
  });
  const { skills } = await loadSkills({ files, roots: [{ path: "/skills", source: "user" }] });
  const section = skillsSection(skills);
  expect(section).toContain("- a: First. (/skills/a/SKILL.md)");
  expect(section).not.toContain("- b:");
  const [a] = skills;
  if (a === undefined) throw new Error("There is no skill.");
  expect(await expandSkill(files, a, " now ")).toBe(
    '<skill name="a" folder="/skills/a">\nDo a.\n</skill>\n\nnow',
  );
  expect(skillsSection([])).toBe("");
});

test("/skill:name and /name stand for their text; anything else is left to others", async () => {
  const { files } = createMemoryEnvironment({ files: { "/skills/a/SKILL.md": head("a", "First.") } });
  const { skills } = await loadSkills({ files, roots: [{ path: "/skills", source: "user" }] });
  const template = {
    name: "fix",
    description: "",
    argumentHint: undefined,
    template: "Fix $1.",
    path: "/f",
    source: "user" as const,
  };
  const expand = (text: string) => expandCommand(text, { files, skills, templates: [template] });
  expect(await expand("/fix it")).toBe("Fix it.");
  expect(await expand("/skill:a now")).toContain("</skill>\n\nnow");
  expect(await expand("/other")).toBe(undefined);
  expect(await expand("no command")).toBe(undefined);
});

test("an agent is told of its skills in a section of its own", async () => {
  const { files } = createMemoryEnvironment({ files: { "/skills/a/SKILL.md": head("a", "First.") } });
  const { skills } = await loadSkills({ files, roots: [{ path: "/skills", source: "user" }] });
  const { agent, model } = await createScenario({ skills, answers: ["hi"] });
  await agent.prompt("hello");
  const prompt = model.requests[0]?.systemPrompt ?? "";
  expect(prompt).toContain("<skills>");
  expect(prompt.indexOf("</skills>")).toBeLessThan(prompt.indexOf("<cwd>"));
  expect((await agent.inspectContext()).sources.map(({ source }) => source)).toContain("skills");
});
