import type { ContextFile } from "./context-files.ts";
import { type PromptState, toolDeclaration } from "./prompt-state.ts";
import { renderSystemPrompt, type SystemPromptInput, systemPromptSections } from "./system-prompt.ts";
import type { ToolSet } from "./tool-set.ts";

export interface PromptSourceOptions extends Omit<SystemPromptInput, "tools" | "extraSections"> {
  readonly toolSet: ToolSet;
}

/** The prompt state that requests should have now, from the active tools and the files read at the start. */
export class PromptSource {
  readonly #options: PromptSourceOptions;
  readonly #extraSections = new Map<string, string>();

  constructor(options: PromptSourceOptions) {
    this.#options = options;
  }

  get contextFiles(): readonly ContextFile[] {
    return this.#options.contextFiles;
  }

  /** Adds or replaces a section; returns what takes it out again. */
  setSection(name: string, text: string): () => void {
    this.#extraSections.set(name, text);
    return () => this.#extraSections.delete(name);
  }

  state(): PromptState {
    const { toolSet, ...input } = this.#options;
    const tools = toolSet.active.map(toolDeclaration);
    const extraSections = Object.fromEntries(this.#extraSections);
    return { sections: systemPromptSections({ ...input, tools, extraSections }), tools };
  }

  /** The system prompt as it is sent. */
  text(): string {
    return renderSystemPrompt(this.state().sections);
  }
}
