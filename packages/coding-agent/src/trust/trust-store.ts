import { dirname } from "node:path";
import type { ConfigFiles } from "../config/config-files.ts";
import { editJsonc } from "../config/edit-jsonc.ts";
import { parseJsonc } from "../config/jsonc.ts";
import { CodingAgentError } from "../errors.ts";

/** What the user said of a folder; `changed`: it was trusted, but not as it is now. */
export type TrustState = "trusted" | "refused" | "changed" | "unknown";

export interface TrustDecision {
  readonly decision: "trusted" | "refused";
  /** Of the project's own files when it was trusted; absent = whatever they are. */
  readonly fingerprint?: string;
  /** Whether the folders in it are trusted as well. A refusal always counts for them. */
  readonly includesFolders?: boolean;
}

export interface TrustStoreOptions {
  readonly files: ConfigFiles;
  /** Of `trust.json`. */
  readonly path: string;
}

/** Remembers which folders the user trusts. A file that cannot be understood trusts nothing. */
export class TrustStore {
  readonly #options: TrustStoreOptions;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
  }

  /** The nearest decision on the way up counts. `directory` must have its links resolved. */
  async stateOf(directory: string, fingerprint: string): Promise<TrustState> {
    const { files, path } = this.#options;
    const decisions = await decisionsIn(await files.read(path));
    if (decisions === undefined) return "unknown";
    for (let folder = directory; ; folder = dirname(folder)) {
      const known = decisions.get(folder);
      if (known?.decision === "refused") return "refused";
      if (known !== undefined && folder === directory) {
        return known.fingerprint === undefined || known.fingerprint === fingerprint ? "trusted" : "changed";
      }
      if (known?.includesFolders === true) return "trusted";
      if (dirname(folder) === folder) return "unknown";
    }
  }

  /** Throws `invalid_setting` for a file that is no JSON; it is then not touched. */
  async remember(directory: string, decision: TrustDecision): Promise<void> {
    const { files, path } = this.#options;
    const change = async (text: string | undefined) => {
      if (text !== undefined && text.trim() !== "" && (await decisionsIn(text)) === undefined) {
        throw new CodingAgentError({
          code: "invalid_setting",
          message: `${path} is no JSON object and was not changed.`,
        });
      }
      return editJsonc(text ?? "", { path: [directory], value: decision });
    };
    await files.update(path, change, { isPrivate: true });
  }
}

async function decisionsIn(
  text: string | undefined,
): Promise<ReadonlyMap<string, TrustDecision> | undefined> {
  if (text === undefined || text.trim() === "") return new Map();
  try {
    const value = await parseJsonc(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return new Map(
      Object.entries(value).filter((pair): pair is [string, TrustDecision] => isDecision(pair[1])),
    );
  } catch {
    return undefined;
  }
}

function isDecision(value: unknown): value is TrustDecision {
  const { decision } = (value ?? {}) as { readonly decision?: unknown };
  return decision === "trusted" || decision === "refused";
}
