import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WireServer } from "@coppice/ai/testing";
import type { Playground } from "./spawn-coppice.ts";

/** Describes a wire server to the CLI the way a person would: in `~/.coppice/models.json`, as `wire/wire-1`. */
export async function describeServer(
  { home, project }: Playground,
  server: WireServer,
  {
    api,
    contextWindow,
    baseUrl = server.baseUrl(api),
  }: { readonly api: string; readonly contextWindow: number; readonly baseUrl?: string },
): Promise<void> {
  const models = [{ id: "wire-1", contextWindow, maxTokens: 1024, images: true }];
  const providers = { wire: { baseUrl, api, apiKey: server.apiKey, models } };
  await mkdir(join(home, ".coppice"), { recursive: true });
  await mkdir(project, { recursive: true });
  await writeFile(join(home, ".coppice/models.json"), JSON.stringify({ providers }));
}
