import type { AnyAgentTool } from "@coppice/agent";
import type { EntryDraft } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";

/** The tools that exist and those of them that the model may call now. */
export class ToolSet {
  readonly #tools = new Map<string, AnyAgentTool>();
  #activeNames: readonly string[] | undefined;
  /** Undefined = all. */
  #configuredNames: readonly string[] | undefined;
  /** Beginnings of names whose tools come later; the same may be announced twice. */
  readonly #expected: string[] = [];
  #usedNames: readonly string[] = [];

  /** Throws `duplicate_tool` when two tools share a name. */
  constructor(tools: readonly AnyAgentTool[]) {
    for (const tool of tools) this.add(tool);
  }

  /** Returns what takes the tool out again. */
  add(tool: AnyAgentTool): () => void {
    if (this.#tools.has(tool.name)) {
      throw new CodingAgentError({
        code: "duplicate_tool",
        message: `There is already a tool named "${tool.name}".`,
      });
    }
    this.#tools.set(tool.name, tool);
    return () => {
      if (this.#tools.get(tool.name) === tool) this.#tools.delete(tool.name);
    };
  }

  /** Announces tools that come later: names with this beginning may be chosen already. Returns what takes that back. */
  expect(prefix: string): () => void {
    this.#expected.push(prefix);
    return () => {
      const at = this.#expected.indexOf(prefix);
      if (at !== -1) this.#expected.splice(at, 1);
    };
  }

  /** Names that the session's last request had. */
  rememberUsed(names: readonly string[]): void {
    this.#usedNames = names;
  }

  /** Names that were chosen or used, and that no tool has yet. */
  get missing(): readonly string[] {
    const wanted = new Set([...(this.#activeNames ?? []), ...this.#usedNames]);
    return [...wanted].filter((name) => !this.#tools.has(name));
  }

  /** All names, in the order of `active`. */
  get names(): readonly string[] {
    return this.#ordered.map(({ name }) => name);
  }

  /**
   * The active tools, in order of registration whatever the order of activation; then those that were announced, by name:
   * they come as their servers get ready, and requests must not depend on that.
   */
  get active(): readonly AnyAgentTool[] {
    const active = this.#activeNames;
    const tools = this.#ordered;
    return active === undefined ? tools : tools.filter((tool) => active.includes(tool.name));
  }

  /** Activates exactly these. Throws `unknown_tool` for a name that no tool has and none is expected to have. */
  activate(names: readonly string[]): void {
    const unknown = names.filter((name) => !this.#isKnown(name));
    if (unknown.length > 0) {
      throw new CodingAgentError({
        code: "unknown_tool",
        message: `No tool is named ${unknown.map((name) => `"${name}"`).join(", ")}. Known: ${this.names.join(", ") || "none"}.`,
      });
    }
    this.#activeNames = [...names];
  }

  /** Activates these and makes them the set to return to. Throws `unknown_tool`. */
  configure(names: readonly string[]): void {
    this.activate(names);
    this.#configuredNames = this.#activeNames;
  }

  /** Returns to the configured set; to all tools where none was configured. */
  restoreConfigured(): void {
    this.#activeNames = this.#configuredNames;
  }

  /** Activates those of a stored choice that still exist or are expected; returns the names of the others. */
  restore(names: readonly string[]): readonly string[] {
    this.#activeNames = names.filter((name) => this.#isKnown(name));
    return names.filter((name) => !this.#isKnown(name));
  }

  /** The entry that makes a session's state say what is active; none for the untouched default. */
  changesFrom(stored: readonly string[] | undefined): readonly EntryDraft[] {
    const existing = this.active.map((tool) => tool.name);
    // A choice outlives the time in which its tool is not there yet.
    const late = (this.#activeNames ?? []).filter((name) => !this.#tools.has(name));
    const active = [...existing, ...late];
    const before = stored ?? (this.#activeNames === undefined ? active : this.names);
    const same = before.length === active.length && active.every((name) => before.includes(name));
    return same ? [] : [{ type: "active_tools_change", activeToolNames: active }];
  }

  get #ordered(): readonly AnyAgentTool[] {
    const tools = [...this.#tools.values()];
    if (this.#expected.length === 0) return tools;
    const late = tools.filter(({ name }) => this.#isExpected(name));
    const byName = late.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return [...tools.filter(({ name }) => !this.#isExpected(name)), ...byName];
  }

  #isKnown(name: string): boolean {
    return this.#tools.has(name) || this.#isExpected(name);
  }

  #isExpected(name: string): boolean {
    return this.#expected.some((prefix) => name.startsWith(prefix));
  }
}
