import { createHash } from "node:crypto";

/** Signs reasoning and recognises what it signed; stands in for the provider's secret key. */
export interface Signatures {
  sign(thinking: string): string;
  /** Registers a signature that a script chose itself. */
  accept(signature: string, thinking: string): void;
  isIssued(signature: string): boolean;
  /** True when the signature belongs to exactly this text. */
  belongs(signature: string, thinking: string): boolean;
}

/**
 * Signatures under a seed. Two servers with one seed know each other's, so that a session may go on at a second server;
 * any other seed is foreign.
 */
export function createSignatures(seed: string): Signatures {
  const chosen = new Map<string, string>();
  const digest = (text: string) => createHash("sha256").update(seed).update("\0").update(text).digest("hex");
  const prefix = digest("prefix").slice(0, 16);
  const sign = (thinking: string) => Buffer.from(prefix + digest(thinking)).toString("base64");
  return {
    sign,
    accept: (signature, thinking) => void chosen.set(signature, thinking),
    isIssued: (signature) =>
      chosen.has(signature) || Buffer.from(signature, "base64").toString("latin1").startsWith(prefix),
    belongs: (signature, thinking) =>
      chosen.has(signature) ? chosen.get(signature) === thinking : sign(thinking) === signature,
  };
}
