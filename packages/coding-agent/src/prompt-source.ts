import type { ContextFile } from "./context-files.ts";
import { type PromptState, toolDeclaration } from "./prompt-state.ts";
import { renderSystemPrompt, type SystemPromptInput, systemPromptSections } from "./system-prompt.ts";
import type { ToolSet } from "./tool-set.ts";

export interface PromptSourceOptions extends Omit<SystemPromptInput, "tools" | "extraSections"> {
  readonly toolSet: ToolSet;
  /** Reads the context files as they are now. */
  readonly loadContextFiles: () => Promise<readonly ContextFile[]>;
}

/** The prompt state that requests should have now, from the active tools and the files read at the start. */
export class PromptSource {
  readonly #options: PromptSourceOptions;
  readonly #extraSections = new Map<string, string>();
  #contextFiles: readonly ContextFile[];

  constructor(options: PromptSourceOptions) {
    this.#options = options;
    this.#contextFiles = options.contextFiles;
  }

  get contextFiles(): readonly ContextFile[] {
    return this.#contextFiles;
  }

  /** Takes over what the context files say now. Until then they stay as they were read: the prompt is a cached prefix. */
  async reload(): Promise<void> {
    this.#contextFiles = await this.#options.loadContextFiles();
  }

  /** Adds or replaces a section; returns what takes it out again. */
  setSection(name: string, text: string): () => void {
    this.#extraSections.set(name, text);
    return () => {
      if (this.#extraSections.get(name) === text) this.#extraSections.delete(name);
    };
  }

  state(): PromptState {
    const { toolSet, loadContextFiles: _, ...input } = this.#options;
    const tools = toolSet.active.map(toolDeclaration);
    const extraSections = Object.fromEntries(this.#extraSections);
    return {
      sections: systemPromptSections({ ...input, contextFiles: this.#contextFiles, tools, extraSections }),
      tools,
    };
  }

  /** The system prompt as it is sent. */
  text(): string {
    return renderSystemPrompt(this.state().sections);
  }
}
