import type { SystemMessage, ToolSpec } from "@coppice/ai";
import type { PromptSections } from "./system-prompt.ts";

/** What the model is told before any message: prompt sections and tools. */
export interface PromptState {
  readonly sections: PromptSections;
  readonly tools: readonly ToolSpec[];
}

/**
 * The `system` message that turns the stored prompt state into `wanted`; undefined when nothing differs.
 *
 * `stored` is the fold of a session's system messages. The order of tools and sections is no difference.
 */
export function promptStateChange(
  stored: SystemMessage | undefined,
  wanted: PromptState,
  timestamp: number,
): SystemMessage | undefined {
  const sections = changedSections(stored?.sections ?? {}, wanted.sections);
  const before = new Map((stored?.toolsAdded ?? []).map((tool) => [tool.name, fingerprint(tool)]));
  const after = new Map(wanted.tools.map((tool) => [tool.name, fingerprint(tool)]));
  const toolsAdded = wanted.tools
    .filter((tool) => before.get(tool.name) !== after.get(tool.name))
    .map(toolDeclaration);
  const toolsRemoved = [...before]
    .filter(([name, print]) => after.get(name) !== print)
    .map(([name]) => ({ name }));
  if (Object.keys(sections).length + toolsAdded.length + toolsRemoved.length === 0) return undefined;
  return {
    role: "system",
    content: "",
    ...(Object.keys(sections).length === 0 ? {} : { sections }),
    ...(toolsAdded.length === 0 ? {} : { toolsAdded }),
    ...(toolsRemoved.length === 0 ? {} : { toolsRemoved }),
    timestamp,
  };
}

/** A tool without its code: what requests and session files carry. */
export function toolDeclaration(tool: ToolSpec): ToolSpec {
  return { name: tool.name, description: tool.description, parameters: tool.parameters };
}

function changedSections(
  stored: Readonly<Record<string, string | null>>,
  wanted: PromptSections,
): Record<string, string | null> {
  const changed: Record<string, string | null> = {};
  for (const [name, text] of Object.entries(wanted)) if (stored[name] !== text) changed[name] = text;
  for (const [name, text] of Object.entries(stored)) {
    if (text !== null && !Object.hasOwn(wanted, name)) changed[name] = null;
  }
  return changed;
}

/** Of schemas: asked before every request, for the same ones mostly. None is changed once it is there. */
const schemaTexts = new WeakMap<object, string>();

function fingerprint({ name, description, parameters }: ToolSpec): string {
  const schema = schemaTexts.get(parameters) ?? schemaText(parameters);
  schemaTexts.set(parameters, schema);
  return JSON.stringify([name, description, schema]);
}

/** Key order must not matter: stored schemas come back from JSON, others from code. */
function schemaText(schema: object): string {
  return JSON.stringify(schema, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
