import { type Model, modelName } from "@coppice/ai";
import type { KnownModels } from "../../../known-models.ts";
import { tokensText } from "../../../render/units.ts";
import type { SlashCommand } from "./command.ts";

export const modelCommand: SlashCommand = {
  name: "model",
  argument: "[name]",
  help: "choose the model; it counts from the next request",
  async run(host, argument) {
    const { known, agent } = host;
    if (argument !== "") {
      const { model, thinkingLevel } = await known.find(argument);
      await host.selectModel(model);
      if (thinkingLevel !== undefined) await agent.setThinkingLevel(thinkingLevel);
      return;
    }
    const models = await usableModels(known);
    const chosen = await host.pick({
      title: ["Model"],
      choices: models.map((model) => ({
        value: modelName(model),
        label: modelName(model),
        description: `${tokensText(model.contextWindow)} context`,
      })),
      selected: modelName(agent.model),
    });
    const model = models.find((candidate) => modelName(candidate) === chosen);
    if (model !== undefined) await host.selectModel(model);
  },
};

async function usableModels(known: KnownModels): Promise<readonly Model[]> {
  return (await known.list()).filter(known.isUsable);
}
