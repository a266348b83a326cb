import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { findModel, type Model } from "@coppice/ai";
import type { SessionCopy } from "@coppice/session";
import {
  FOREIGN_PRODUCTS,
  type ForeignConversation,
  foreignSession,
  readForeignConversation,
} from "@coppice/session/foreign";
import { CliError } from "../../cli-error.ts";

/** A session of another program as one of ours, and what people should know about it. */
export interface ConvertedSession {
  readonly copy: SessionCopy;
  readonly note: string;
}

/** Reads a session file of another program; undefined where it is of none that is known. */
export async function convertForeign(path: string, cwd: string): Promise<ConvertedSession | undefined> {
  const conversation = await readForeignConversation(path);
  if (conversation === undefined) return undefined;
  const origin = originOf(conversation);
  if (conversation.steps.length === 0) {
    throw new CliError("no_session", `It is of ${origin} and holds no conversation.`);
  }
  const prices = await pricesFor(conversation);
  const copy = foreignSession(conversation, {
    cwd: directoryOf(conversation, cwd),
    pricesOf: (provider, modelId) => prices.get(`${provider}/${modelId}`),
  });
  const leftOut = [...conversation.leftOut].map(([what, count]) => `${count} ${what}`);
  const rest = leftOut.length === 0 ? "" : `; left out: ${leftOut.join(", ")}`;
  return { copy, note: `from ${origin}${rest}` };
}

function originOf({ product, productVersion }: ForeignConversation): string {
  const name = FOREIGN_PRODUCTS[product];
  return productVersion === undefined ? name : `${name} ${productVersion}`;
}

/** Of a directory of which only the hash is known: this one, or the one above it whose hash it is. */
function directoryOf({ cwdSha256 }: ForeignConversation, cwd: string): string {
  for (let path = cwd; ; path = dirname(path)) {
    if (createHash("sha256").update(path).digest("hex") === cwdSha256) return path;
    if (path === dirname(path)) return cwd;
  }
}

/** Prices of the models that answered, as far as the catalogue has them. */
async function pricesFor({ steps }: ForeignConversation): Promise<ReadonlyMap<string, Model["cost"]>> {
  const prices = new Map<string, Model["cost"]>();
  for (const { body } of steps) {
    if (body.type !== "message" || body.message.role !== "assistant") continue;
    const name = `${body.message.provider}/${body.message.model}`;
    if (prices.has(name)) continue;
    const choice = await findModel(name).catch(() => undefined);
    if (choice !== undefined) prices.set(name, choice.model.cost);
  }
  return prices;
}
