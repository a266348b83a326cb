import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { loadContextFiles } from "./context-files.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";

const { files } = createLocalEnvironment({ environmentVariables: {} });

/** A folder with these files; returns its path and a loader that shows results relative to it. */
async function tree(content: Readonly<Record<string, string>>) {
  const root = await temporaryFolder();
  for (const [name, text] of Object.entries(content)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const load = async (cwd: string, userDirectory?: string) => {
    const result = await loadContextFiles({
      cwd: join(root, cwd),
      userDirectory: userDirectory === undefined ? undefined : join(root, userDirectory),
      files,
    });
    const shorten = (text: string) => text.replaceAll(`${root}/`, "");
    return {
      files: result.files.map(({ path, content: text }) => [shorten(path), text]),
      diagnostics: result.diagnostics.map(shorten),
      imports: result.files.flatMap((file) => file.imports.map(shorten)),
    };
  };
  return { root, load };
}

test("CX-01: the user's file first, then from the root down to cwd, one file a folder", async () => {
  const { load } = await tree({
    "user/AGENTS.md": "user",
    "repo/CLAUDE.md": "repo",
    "repo/pkg/AGENTS.md": "pkg",
    "repo/pkg/CLAUDE.md": "ignored",
    "repo/pkg/deep/AGENTS.md": "too deep",
  });
  expect((await load("repo/pkg", "user")).files).toEqual([
    ["user/AGENTS.md", "user"],
    ["repo/CLAUDE.md", "repo"],
    ["repo/pkg/AGENTS.md", "pkg"],
  ]);
});

test("CX-01: a real file counts once, and a folder of that name is no file", async () => {
  const { root, load } = await tree({ "repo/AGENTS.md": "once", "repo/pkg/AGENTS.md/x": "a folder" });
  await mkdir(join(root, "repo/pkg/sub"));
  await symlink(join(root, "repo/AGENTS.md"), join(root, "repo/pkg/sub/AGENTS.md"));
  expect((await load("repo/pkg/sub")).files).toEqual([["repo/AGENTS.md", "once"]]);
});

test("CX-01: a BOM and CRLF do not reach the prompt", async () => {
  const { load } = await tree({ "repo/AGENTS.md": "\uFEFFa\r\nb" });
  expect((await load("repo")).files).toEqual([["repo/AGENTS.md", "a\nb"]]);
});

test("a line with @path imports that file, relative to the importing one, outside code", async () => {
  const { load } = await tree({
    "repo/AGENTS.md": "Rules:\n@docs/style.md\n```\n@docs/style.md\n```\nMail me@docs/style.md.",
    "repo/docs/style.md": "- tabs\n@more.md\n",
    "repo/docs/more.md": "- more\n",
  });
  const result = await load("repo");
  expect(result.files).toEqual([
    ["repo/AGENTS.md", "Rules:\n- tabs\n- more\n```\n@docs/style.md\n```\nMail me@docs/style.md."],
  ]);
  expect(result.imports).toEqual(["repo/docs/style.md", "repo/docs/more.md"]);
  expect(result.diagnostics).toEqual([]);
});

test.each([
  { name: "outside the folder", line: "@../secret.txt", reason: "it lies outside repo." },
  { name: "outside by a link", line: "@link.md", reason: "it lies outside repo." },
  { name: "of itself", line: "@AGENTS.md", reason: "it imports itself." },
  { name: "of nothing", line: "@gone.md", reason: "there is no such file." },
])("an import $name is refused with a reason and stays as text", async ({ line, reason }) => {
  const { root, load } = await tree({ "repo/AGENTS.md": line, "secret.txt": "SECRET" });
  await symlink(join(root, "secret.txt"), join(root, "repo/link.md"));
  expect(await load("repo")).toEqual({
    files: [["repo/AGENTS.md", line]],
    imports: [],
    diagnostics: [`repo/AGENTS.md: ${line} is not imported: ${reason}`],
  });
});

test("imports nest five deep at most", async () => {
  const { load } = await tree(
    Object.fromEntries(
      Array.from({ length: 8 }, (_, level) => [
        level === 0 ? "repo/AGENTS.md" : `repo/${level}.md`,
        `level ${level}\n@${level + 1}.md`,
      ]),
    ),
  );
  const { files: loaded, diagnostics } = await load("repo");
  expect(loaded[0]?.[1]).toBe("level 0\nlevel 1\nlevel 2\nlevel 3\nlevel 4\nlevel 5\n@6.md");
  expect(diagnostics).toEqual(["repo/5.md: @6.md is not imported: imports nest deeper than 5."]);
});

test("a file beyond 64 KB is cut with a notice", async () => {
  const { load } = await tree({ "repo/AGENTS.md": "x".repeat(70_000) });
  const { files: loaded, diagnostics } = await load("repo");
  expect(loaded[0]?.[1]).toBe(`${"x".repeat(65_536)}\n[cut at 64 KB]`);
  expect(diagnostics).toEqual(["repo/AGENTS.md is larger than 64 KB; only its beginning is used."]);
});
