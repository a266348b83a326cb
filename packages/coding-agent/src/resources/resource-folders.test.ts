import { expect, test } from "vitest";
import { resourceFolders } from "./resource-folders.ts";

const places = { userFolder: "/home/me/.coppice", cwd: "/code/p", homeDirectory: "/home/me" };

test("settings name more folders, then come the project's, the user's, and for skills those that agents share", () => {
  const folders = resourceFolders({
    ...{ ...places, projectFolder: "/code/p/.coppice" },
    more: { skills: ["./mine", "~/skills"], prompts: ["/abs"] },
  });
  expect(folders).toEqual({
    skills: [
      { path: "/code/p/mine", source: "cli" },
      { path: "/home/me/skills", source: "cli" },
      { path: "/code/p/.coppice/skills", source: "project" },
      { path: "/home/me/.coppice/skills", source: "user" },
      { path: "/code/p/.agents/skills", source: "project" },
      { path: "/home/me/.agents/skills", source: "user" },
    ],
    prompts: [
      { path: "/abs", source: "cli" },
      { path: "/code/p/.coppice/prompts", source: "project" },
      { path: "/home/me/.coppice/prompts", source: "user" },
    ],
    themes: [
      { path: "/code/p/.coppice/themes", source: "project" },
      { path: "/home/me/.coppice/themes", source: "user" },
    ],
    extensions: [
      { path: "/code/p/.coppice/extensions", source: "project" },
      { path: "/home/me/.coppice/extensions", source: "user" },
    ],
  });
});

test("B243: of a project that is not trusted no folder is looked at", () => {
  const all = Object.values(resourceFolders(places)).flat();
  expect(all.filter(({ source, path }) => source === "project" || path.startsWith("/code"))).toEqual([]);
});
