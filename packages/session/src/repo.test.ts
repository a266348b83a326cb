import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { JsonlRepo } from "./jsonl-repo.ts";
import { MemoryRepo } from "./memory-repo.ts";
import { sessionRepoCases } from "./testing/index.ts";

const root = await mkdtemp(join(tmpdir(), "coppice-session-"));
afterAll(() => rm(root, { recursive: true }));

describe("JsonlRepo", () => {
  const createRepo = async () => new JsonlRepo({ directory: await mkdtemp(join(root, "sessions-")) });
  for (const { name, run } of sessionRepoCases({ createRepo })) test(name, run);
});

describe("MemoryRepo", () => {
  for (const { name, run } of sessionRepoCases({ createRepo: () => new MemoryRepo() })) test(name, run);
});
