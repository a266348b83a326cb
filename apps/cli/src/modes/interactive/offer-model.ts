import type { Model } from "@coppice/ai";
import type { CliContext } from "../../cli-context.ts";
import { knownModelsOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { defaultModel, WAYS_TO_CONNECT } from "../../model-choice.ts";
import { failureNotice } from "./failure-notice.ts";
import type { Layout } from "./layout.ts";
import { storeKey } from "./store-key.ts";
import { storeServer } from "./store-server.ts";
import type { Paint } from "./theme.ts";

type Way = "key" | "server" | "demo" | "leave";

/** A model that was made available, and what is known with it. */
export interface OfferedModel {
  readonly model: Model;
  readonly known: KnownModels;
}

export interface OfferModelOptions {
  readonly layout: Pick<Layout, "pick" | "input">;
  readonly known: KnownModels;
  readonly paint: Paint;
  readonly context: CliContext;
}

/** The first run without any key: says the three ways to get going, and goes any of them here. */
export async function offerModel(options: OfferModelOptions): Promise<OfferedModel | undefined> {
  const { layout, paint } = options;
  for (let problem: string | undefined; ; ) {
    const way = await layout.pick({
      title: [
        paint("strong", "Welcome to Coppice. No model is set up yet; there are three ways to get going:"),
        "",
        ...WAYS_TO_CONNECT.map((text, index) => `  ${index + 1}. ${text}`),
        "",
        ...(problem === undefined ? [] : [paint("error", problem), ""]),
      ],
      choices: [
        { value: "demo", label: "Try the demo now", description: "offline, needs no key" },
        { value: "key", label: "Store a key", description: "in auth.json, for you alone to read" },
        { value: "server", label: "Use a server of your own", description: "Ollama, vLLM, llama.cpp, …" },
        { value: "leave", label: "Leave, and come back with a key or a server" },
      ] satisfies readonly { readonly value: Way; readonly label: string; readonly description?: string }[],
    });
    if (way === undefined || way === "leave") return undefined;
    try {
      const offered = await go(way as Way, options);
      if (offered !== undefined) return offered;
      problem = undefined;
    } catch (error) {
      problem = failureNotice(error);
    }
  }
}

/** Undefined when the way was left half-way. */
async function go(
  way: Way,
  { layout, known, context }: OfferModelOptions,
): Promise<OfferedModel | undefined> {
  const { authFile, modelsFile } = context.places;
  if (way === "demo") return { model: (await known.find("demo")).model, known };
  const provider =
    way === "key"
      ? await storeKey({ layout, authFile, logins: known.logins })
      : await storeServer({ layout, modelsFile });
  if (provider === undefined) return undefined;
  const now = await knownModelsOf(context);
  const model = (await defaultModel(now)) ?? (await now.list(provider)).find(now.isUsable);
  if (model === undefined) throw now.fileError ?? new Error(`There is no model of ${provider} to use.`);
  return { model, known: now };
}
