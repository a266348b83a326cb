// Writes the JSON Schemas of packages/coding-agent: `node --conditions=@coppice/source scripts/write-schemas.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelsJsonSchema } from "../packages/coding-agent/src/models-file/schema.ts";
import { settingsJsonSchema } from "../packages/coding-agent/src/settings/schema.ts";

const folder = join(import.meta.dirname, "../packages/coding-agent");
for (const [name, schema] of [
  ["settings", settingsJsonSchema()],
  ["models", modelsJsonSchema()],
] as const) {
  writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
