import { type Model, modelName } from "@coppice/ai";
import type { CliContext } from "../cli-context.ts";
import { knownModelsOf } from "../compose.ts";
import type { KnownModels } from "../known-models.ts";
import { jsonLine } from "../render/json-line.ts";
import { tableLines } from "../render/table.ts";
import { inertLine } from "../render/terminal-text.ts";
import { tokensText } from "../render/units.ts";

/** `coppice --list-models [pattern]`: those that can be used first; with `--mode json` one JSON line per model. */
export async function listModels(context: CliContext): Promise<number> {
  const { args, stdout, stderr } = context;
  const known = await knownModelsOf(context);
  for (const notice of known.fileError === undefined ? known.fileNotices : [known.fileError.message])
    await stderr.write(`coppice: ${inertLine(notice, 400)}\n`);
  const wanted = args.words.map((word) => word.toLowerCase());
  const models = (await known.list()).filter((model) =>
    wanted.every((word) => modelName(model).toLowerCase().includes(word)),
  );
  const usableFirst = [...models.filter(known.isUsable), ...models.filter((model) => !known.isUsable(model))];
  if (args.flags.mode === "json") {
    for (const model of usableFirst)
      await stdout.write(jsonLine({ ...model, isUsable: known.isUsable(model) }));
    return 0;
  }
  if (usableFirst.length === 0) await stderr.write("No model matches.\n");
  else await stdout.write(`${tableLines(usableFirst.map((model) => modelRow(model, known))).join("\n")}\n`);
  return 0;
}

function modelRow(model: Model, known: KnownModels): string[] {
  const { input, output } = model.cost;
  return [
    inertLine(modelName(model), 80),
    `${tokensText(model.contextWindow)} window`,
    `${tokensText(model.maxTokens)} out`,
    input === 0 && output === 0 ? "free" : `$${input}/$${output} per M`,
    readiness(model, known),
  ];
}

function readiness(model: Model, known: KnownModels): string {
  if (known.isUsable(model)) return "ready";
  return known.isSpoken(model) ? "no key" : `${inertLine(model.api, 40)} is not spoken yet`;
}
