// Writes packages/coding-agent/settings.schema.json: `node --conditions=@coppice/source scripts/write-settings-schema.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsJsonSchema } from "../packages/coding-agent/src/settings/schema.ts";

const path = join(import.meta.dirname, "../packages/coding-agent/settings.schema.json");
writeFileSync(path, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
