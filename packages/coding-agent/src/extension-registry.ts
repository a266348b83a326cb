import type { Model, Provider } from "@coppice/ai";
import { modelName } from "@coppice/ai";
import type { CompactionStrategy } from "@coppice/compaction";
import type { EntryProjector, EntryProjectors, SessionRepo } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";
import type { CommandHandler, ExtensionCommand } from "./extension.ts";

/** A command as it was registered. */
export interface RegisteredCommand extends ExtensionCommand {
  /** As users type it; a second one of a name has `:2` behind it. */
  readonly name: string;
  /** The extension that owns it. */
  readonly owner: string;
}

/** What extensions contributed beside tools, hooks and prompt sections. Every `add` returns what takes it out again. */
export class ExtensionRegistry {
  readonly #commands = new Map<string, RegisteredCommand>();
  readonly #providers = new Map<string, Provider>();
  readonly #models = new Map<string, Model>();
  readonly #projectors = new Map<string, EntryProjector>();
  readonly #strategies: CompactionStrategy[] = [];
  readonly #storages = new Map<string, SessionRepo>();

  /** In order of registration. */
  get commands(): readonly RegisteredCommand[] {
    return [...this.#commands.values()];
  }

  get models(): readonly Model[] {
    return [...this.#models.values()];
  }

  get strategies(): readonly CompactionStrategy[] {
    return [...this.#strategies];
  }

  /** By name. */
  get storages(): ReadonlyMap<string, SessionRepo> {
    return this.#storages;
  }

  /** Undefined when there are none: a session's own projection is then enough. */
  get projectors(): EntryProjectors | undefined {
    return this.#projectors.size === 0 ? undefined : Object.fromEntries(this.#projectors);
  }

  command(name: string): RegisteredCommand | undefined {
    return this.#commands.get(name);
  }

  model(name: string): Model | undefined {
    return this.#models.get(name);
  }

  /** By wire API. */
  provider(api: string): Provider | undefined {
    return this.#providers.get(api);
  }

  addCommand(owner: string, name: string, command: ExtensionCommand): () => void {
    if (!/^\w[\w.-]*$/.test(name) || typeof (command.handler as CommandHandler | undefined) !== "function") {
      throw invalid(
        `The command "${name}" needs a name of letters, digits, dots and hyphens, and a handler.`,
      );
    }
    let free = name;
    for (let count = 2; this.#commands.has(free); count++) free = `${name}:${count}`;
    return put(this.#commands, free, { ...command, name: free, owner });
  }

  addProvider(provider: Provider): () => void {
    if (!provider.api || typeof (provider.stream as Provider["stream"] | undefined) !== "function") {
      throw invalid("A provider needs an `api` and a `stream`.");
    }
    return put(this.#providers, taken(this.#providers, provider.api, "a provider for the API"), provider);
  }

  addModel(model: Model): () => void {
    if (!model.id || !model.provider || !model.api)
      throw invalid("A model needs an id, a provider and an api.");
    return put(this.#models, taken(this.#models, modelName(model), "a model"), model);
  }

  addProjector(customType: string, projector: EntryProjector): () => void {
    if (!customType || typeof (projector as EntryProjector | undefined) !== "function") {
      throw invalid("An entry kind needs a name and a projector.");
    }
    return put(this.#projectors, taken(this.#projectors, customType, "an entry kind"), projector);
  }

  addStorage(name: string, repo: SessionRepo): () => void {
    if (!name || typeof (repo.create as SessionRepo["create"] | undefined) !== "function") {
      throw invalid("A storage needs a name and a session repository.");
    }
    return put(this.#storages, taken(this.#storages, name, "a storage"), repo);
  }

  addStrategy(strategy: CompactionStrategy): () => void {
    if (
      !strategy.name ||
      typeof (strategy.shrink as CompactionStrategy["shrink"] | undefined) !== "function"
    ) {
      throw invalid("A compaction strategy needs a name and `shrink`.");
    }
    this.#strategies.push(strategy);
    return () => {
      const at = this.#strategies.indexOf(strategy);
      if (at !== -1) this.#strategies.splice(at, 1);
    };
  }
}

function taken(map: ReadonlyMap<string, unknown>, name: string, kind: string): string {
  if (!map.has(name)) return name;
  throw new CodingAgentError({ code: "name_taken", message: `There is already ${kind} "${name}".` });
}

/** Takes out only what it put in. */
function put<Value>(map: Map<string, Value>, name: string, value: Value): () => void {
  map.set(name, value);
  return () => {
    if (map.get(name) === value) map.delete(name);
  };
}

function invalid(message: string): CodingAgentError {
  return new CodingAgentError({ code: "invalid_registration", message });
}
