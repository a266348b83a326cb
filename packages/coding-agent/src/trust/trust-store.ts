import { dirname } from "node:path";
import type { ConfigFiles } from "../config/config-files.ts";
import { editJsonc } from "../config/edit-jsonc.ts";
import { parseJsonc } from "../config/jsonc.ts";
import { CodingAgentError, messageOf } from "../errors.ts";

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

/** What the user said so far, as of one reading. */
export class KnownTrust {
  readonly #decisions: ReadonlyMap<string, TrustDecision>;
  /** Why the file is not used, with its path and in one sentence; undefined = it is, or there is none. */
  readonly problem: string | undefined;

  constructor(decisions: ReadonlyMap<string, TrustDecision>, problem?: string) {
    this.#decisions = decisions;
    this.problem = problem;
  }

  /** The nearest decision on the way up counts. `directory` must have its links resolved. */
  stateOf(directory: string, fingerprint: string): TrustState {
    for (let folder = directory; ; folder = dirname(folder)) {
      const known = this.#decisions.get(folder);
      if (known?.decision === "refused") return "refused";
      if (known !== undefined && folder === directory) {
        return known.fingerprint === undefined || known.fingerprint === fingerprint ? "trusted" : "changed";
      }
      if (known?.includesFolders === true) return "trusted";
      if (dirname(folder) === folder) return "unknown";
    }
  }
}

/** Remembers which folders the user trusts. A file that cannot be read or understood trusts nothing. */
export class TrustStore {
  readonly #options: TrustStoreOptions;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
  }

  /** What the file says now. Never rejects. */
  async read(): Promise<KnownTrust> {
    const { files, path } = this.#options;
    try {
      return new KnownTrust(await decisionsIn(await files.read(path)));
    } catch (error) {
      return new KnownTrust(new Map(), `${path} is not used: ${messageOf(error)}.`);
    }
  }

  /** Throws `invalid_setting` for a file that is no JSON; it is then not touched. */
  async remember(directory: string, decision: TrustDecision): Promise<void> {
    const { files, path } = this.#options;
    const change = async (text: string | undefined) => {
      await decisionsIn(text).catch((cause: unknown) => {
        const message = `${path} is no JSON object and was not changed.`;
        throw new CodingAgentError({ code: "invalid_setting", message, cause });
      });
      return editJsonc(text ?? "", { path: [directory], value: decision });
    };
    await files.update(path, change, { isPrivate: true });
  }
}

/** Rejects with what is wrong with the text. */
async function decisionsIn(text: string | undefined): Promise<ReadonlyMap<string, TrustDecision>> {
  if (text === undefined || text.trim() === "") return new Map();
  const value = await parseJsonc(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SyntaxError("it must be an object");
  }
  return new Map(
    Object.entries(value).filter((pair): pair is [string, TrustDecision] => isDecision(pair[1])),
  );
}

function isDecision(value: unknown): value is TrustDecision {
  const { decision } = (value ?? {}) as { readonly decision?: unknown };
  return decision === "trusted" || decision === "refused";
}
