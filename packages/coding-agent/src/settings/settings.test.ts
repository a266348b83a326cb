import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Errors } from "typebox/value";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createLocalConfigFiles } from "../config/local-config-files.ts";
import { loadSettings } from "./load-settings.ts";
import { savePermissionRule } from "./save-permission-rule.ts";
import { saveSetting } from "./save-setting.ts";
import { settingsJsonSchema } from "./schema.ts";

const files = createLocalConfigFiles();

async function load(user: string, project = "{}", isProjectTrusted = true) {
  const directory = await temporaryFolder();
  const userPath = join(directory, "user.json");
  const projectPath = join(directory, "project.json");
  await writeFile(userPath, user);
  await writeFile(projectPath, project);
  const loaded = await loadSettings({
    files,
    userPath,
    projectPath,
    isProjectTrusted,
    overrides: { theme: "cli" },
  });
  return { ...loaded, diagnostics: loaded.diagnostics.map((text) => text.replaceAll(`${directory}/`, "")) };
}

test("CX-07: command line over project over user, objects field by field, an explicit empty list stays", async () => {
  const { settings, diagnostics } = await load(
    '{"theme": "user", "model": "a/b", "tools": ["read"], "compaction": {"enabled": false, "reserveTokens": 5}} // mine',
    '{"tools": [], "compaction": {"enabled": true}}',
  );
  expect(settings).toEqual({
    theme: "cli",
    model: "a/b",
    tools: [],
    compaction: { enabled: true, reserveTokens: 5 },
  });
  expect(diagnostics).toEqual([]);
});

test("CX-07: permission rules of all files add up, and nobody but the user has rules by project", async () => {
  const directory = await temporaryFolder();
  const userPath = join(directory, "user.json");
  const projectPath = join(directory, "project.json");
  const rules = { permissions: { deny: ["read(.env)"], allow: ["bash(make *)"] } };
  const own = { "/p": { allow: ["edit(src/**)"] }, "/q": { allow: ["bash"] } };
  await writeFile(userPath, JSON.stringify({ permissions: { ...rules.permissions, projects: own } }));
  await writeFile(
    projectPath,
    JSON.stringify({
      permissions: { deny: [], allow: ["bash(npm *)"], projects: { "/p": { allow: ["write"] } } },
    }),
  );
  const { settings } = await loadSettings({
    files,
    userPath,
    projectPath,
    isProjectTrusted: true,
    cwd: "/p",
  });
  expect(settings).toEqual({
    permissions: { deny: ["read(.env)"], allow: ["bash(make *)", "edit(src/**)", "bash(npm *)"] },
  });
});

test("CX-07: folders of skills and prompts begin where the file lies that names them, and ~ is the home directory", async () => {
  const texts = new Map([
    ["/home/me/.coppice/settings.json", { skills: ["mine", "~/skills"], prompts: ["~", "/abs"], theme: "~" }],
    ["/p/.coppice/settings.json", { skills: ["../docs/skills", "./own"] }],
  ]);
  const load = (isProjectTrusted: boolean, homeDirectory?: string) =>
    loadSettings({
      files: { read: async (path) => JSON.stringify(texts.get(path)) },
      userPath: "/home/me/.coppice/settings.json",
      projectPath: "/p/.coppice/settings.json",
      ...{ isProjectTrusted, homeDirectory, cwd: "/p/src" },
    });
  const { settings, user } = await load(true, "/home/me");
  expect(settings).toEqual({
    skills: ["/p/docs/skills", "/p/.coppice/own"],
    prompts: ["/home/me", "/abs"],
    theme: "~",
  });
  // What is shown and edited stays as it was written.
  expect(user.skills).toEqual(["mine", "~/skills"]);
  expect((await load(false)).settings.skills).toEqual([
    "/home/me/.coppice/mine",
    "/home/me/.coppice/~/skills",
  ]);
});

test("a rule that an answer made is saved for its project, once, and known to the next run", async () => {
  const userPath = join(await temporaryFolder(), "settings.json");
  await writeFile(userPath, '{\n  // mine\n  "theme": "dark"\n}\n');
  const save = (decision: "allow" | "deny", rule: string, cwd: string) =>
    savePermissionRule({ files, userPath, cwd, decision, rule });
  await Promise.all([
    save("allow", "bash(npm run *)", "/p"),
    save("allow", "bash(npm run *)", "/p"),
    save("allow", "edit(a.ts)", "/p"),
    save("deny", "bash(git push *)", "/p"),
    save("allow", "write", "/q"),
  ]);
  const { settings, diagnostics } = await loadSettings({
    files,
    userPath,
    isProjectTrusted: false,
    cwd: "/p",
  });
  expect(diagnostics).toEqual([]);
  expect(settings.permissions?.allow?.toSorted()).toEqual(["bash(npm run *)", "edit(a.ts)"]);
  expect(settings.permissions?.deny).toEqual(["bash(git push *)"]);
  expect(await readFile(userPath, "utf8")).toContain("// mine");
});

test("unknown keys and unusable values are named one by one, and the rest counts", async () => {
  const { settings, diagnostics } = await load(
    '{"modle": 1, "model": 5, "compaction": {"reserveTokens": -1, "enabled": true}}',
  );
  expect(settings).toEqual({ theme: "cli", compaction: { enabled: true } });
  expect(diagnostics).toEqual([
    'user.json: the setting "modle" is not known and is ignored.',
    expect.stringMatching(/^user.json: the setting "model" .*, but is 5; it is ignored\.$/),
    expect.stringMatching(
      /^user.json: the setting "compaction.reserveTokens" .*, but is -1; it is ignored\.$/,
    ),
  ]);
});

test("a file that is no JSON counts as empty and is named with its place", async () => {
  const { settings, diagnostics } = await load('{"theme": }');
  expect(settings).toEqual({ theme: "cli" });
  expect(diagnostics).toEqual(["user.json is not used: line 1, column 11: a value expected."]);
});

test("B243: before trust a project can neither run something nor loosen a rule", async () => {
  const { settings, diagnostics } = await load(
    '{"permissions": {"mode": "ask"}}',
    '{"extensions": ["./x.ts"], "permissions": {"mode": "auto"}, "thinkingLevel": "high"}',
    false,
  );
  expect(settings).toEqual({ theme: "cli", permissions: { mode: "ask" }, thinkingLevel: "high" });
  expect(diagnostics).toEqual([
    "project.json: extensions, permissions count only once this project is trusted.",
  ]);
});

test("B227, CX-06: a save changes one key and keeps what the user wrote meanwhile", async () => {
  const path = join(await temporaryFolder(), "settings.json");
  await writeFile(path, '{"theme": "a"}');
  await chmod(path, 0o640);
  await loadSettings({ files, userPath: path, isProjectTrusted: false });
  await writeFile(path, '{\n  // by hand\n  "theme": "b",\n  "mine": 3\n}\n');
  await saveSetting(files, path, { path: ["model"], value: "a/b" });
  expect(await readFile(path, "utf8")).toBe(
    '{\n  // by hand\n  "theme": "b",\n  "mine": 3,\n  "model": "a/b"\n}\n',
  );
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test("CX-06: a file that is no JSON is never written, nor is a value that cannot be used", async () => {
  const path = join(await temporaryFolder(), "settings.json");
  await writeFile(path, "{ broken");
  await expect(saveSetting(files, path, { path: ["theme"], value: "x" })).rejects.toMatchObject({
    code: "invalid_setting",
  });
  expect(await readFile(path, "utf8")).toBe("{ broken");
  await expect(
    saveSetting(files, join(path, "..", "new.json"), { path: ["compaction", "threshold"], value: 3 }),
  ).rejects.toMatchObject({ code: "invalid_setting" });
});

test("reading makes no file and no folder", async () => {
  const directory = await temporaryFolder();
  await loadSettings({ files, userPath: join(directory, "a", "settings.json"), isProjectTrusted: false });
  expect(await readdir(directory)).toEqual([]);
});

test("B226: many changes at once all arrive, and a lock whose owner died is taken over", async () => {
  const path = join(await temporaryFolder(), "settings.json");
  await mkdir(`${path}.lock`);
  await utimes(`${path}.lock`, 1, 1);
  await saveSetting(files, path, { path: ["theme"], value: "first" });
  const names = Array.from({ length: 8 }, (_, index) => `p/m${index}`);
  await Promise.all(
    names.map((name) =>
      saveSetting(createLocalConfigFiles(), path, {
        path: ["compaction", "modelOverrides", name],
        value: { enabled: false },
      }),
    ),
  );
  const { settings } = await loadSettings({ files, userPath: path, isProjectTrusted: false });
  expect(Object.keys(settings.compaction?.modelOverrides ?? {}).sort()).toEqual(names);
});

test("a value that is none of those that a setting takes is refused with all of them", async () => {
  const path = join(await temporaryFolder(), "settings.json");
  const files = createLocalConfigFiles();
  await expect(
    saveSetting(files, path, { path: ["permissions", "mode"], value: "bogus" }),
  ).rejects.toMatchObject({
    ...{
      code: "invalid_setting",
      message: expect.stringContaining('must be one of "read-only", "ask", "auto"'),
    },
  });
  await expect(saveSetting(files, path, { path: ["flushPolicy"], value: "x" })).rejects.toThrow(
    /"message", "turn"/,
  );
});

test("B226: a lock that stays held is an error of its own", async () => {
  const path = join(await temporaryFolder(), "settings.json");
  await mkdir(`${path}.lock`);
  const impatient = createLocalConfigFiles({ lockWaitMs: 0 });
  await expect(saveSetting(impatient, path, { path: ["theme"], value: "x" })).rejects.toMatchObject({
    code: "config_locked",
  });
});

test("the published schema file is that of the code, and a strict reader of it accepts what the code accepts", async () => {
  const file = join(import.meta.dirname, "../../settings.schema.json");
  const published = JSON.parse(await readFile(file, "utf8"));
  // After a change of the schema: node --conditions=@coppice/source scripts/write-schemas.ts
  expect(published).toEqual(settingsJsonSchema());
  expect(
    Errors(published, { $schema: "x", permissions: { projects: { "/p": { allow: ["bash"] } } } }),
  ).toEqual([]);
  expect(Errors(published, { permissions: { mode: "yolo" } })).not.toEqual([]);
});
