import { createLocalConfigFiles } from "@coppice/coding-agent";
import { CliError } from "../../cli-error.ts";
import type { Layout } from "./layout.ts";

/** The name under which `models.json` knows the server. */
const PROVIDER = "local";
const DEFAULT_URL = "http://localhost:11434/v1";

export interface StoreServerOptions {
  readonly layout: Pick<Layout, "input">;
  /** Path of `models.json`. */
  readonly modelsFile: string;
}

/** Asks for a server and a model of it, and writes both to `models.json`; the provider, or undefined when it was left. */
export async function storeServer({ layout, modelsFile }: StoreServerOptions): Promise<string | undefined> {
  const baseUrl = await layout.input({
    title: ["Address of a server that speaks OpenAI's API"],
    text: DEFAULT_URL,
  });
  if (baseUrl === undefined || baseUrl.trim() === "") return undefined;
  if (!/^https?:\/\/\S+$/.test(baseUrl.trim())) {
    throw new CliError("usage", `"${baseUrl}" is no address such as ${DEFAULT_URL}`);
  }
  const id = await layout.input({ title: ["Name of the model, as the server knows it"] });
  if (id === undefined || id.trim() === "") return undefined;
  const provider = { baseUrl: baseUrl.trim(), api: "openai-completions", models: [{ id: id.trim() }] };
  await createLocalConfigFiles().update(modelsFile, (text = "") => withProvider(text, provider, modelsFile));
  return PROVIDER;
}

/** Only an empty file is filled in: one that somebody wrote may hold comments, and a server of this name. */
function withProvider(text: string, provider: unknown, path: string): string {
  if (text.trim() === "") return `${JSON.stringify({ providers: { [PROVIDER]: provider } }, null, 2)}\n`;
  const line = JSON.stringify({ [PROVIDER]: provider });
  throw new CliError("usage", `${path} exists and was left as it is`, {
    advice: `Put this among its providers: ${line.slice(1, -1)}`,
  });
}
