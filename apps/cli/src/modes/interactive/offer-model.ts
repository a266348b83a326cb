import type { Model } from "@coppice/ai";
import type { KnownModels } from "../../known-models.ts";
import { WAYS_TO_CONNECT } from "../../model-choice.ts";
import type { Layout } from "./layout.ts";
import type { Paint } from "./theme.ts";

const DEMO = "demo";
const LEAVE = "leave";

/** The first run without any key: says the three ways to get going, and takes the demo at Enter. */
export async function offerModel(
  layout: Layout,
  known: KnownModels,
  paint: Paint,
): Promise<Model | undefined> {
  const chosen = await layout.pick({
    title: [
      paint("strong", "Welcome to Coppice. No model is set up yet; there are three ways to get going:"),
      "",
      ...WAYS_TO_CONNECT.map((way, index) => `  ${index + 1}. ${way}`),
      "",
    ],
    choices: [
      { value: DEMO, label: "Try the demo now", description: "offline, needs no key" },
      { value: LEAVE, label: "Leave, and come back with a key or a server" },
    ],
  });
  return chosen === DEMO ? (await known.find(DEMO)).model : undefined;
}
