import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { ImageContent, TextContent } from "@coppice/ai";
import { mainArgument } from "../../render/tool-line.ts";

type Arguments = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  ls: "read",
  recall: "read",
  edit: "edit",
  write: "edit",
  grep: "search",
  find: "search",
  bash: "execute",
};

/** What an editor shows of a call before it has run. */
export interface CallFacts {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  readonly rawInput: Arguments;
}

/** Title, kind and places of a call; paths start at `cwd`. */
export function callFacts(name: string, input: Arguments, cwd: string): CallFacts {
  const argument = mainArgument(input);
  return {
    title: argument === "" ? name : `${name} ${argument}`,
    name,
    kind: Object.hasOwn(KINDS, name) ? (KINDS[name] ?? "other") : "other",
    locations: locationsOf(input, cwd),
    rawInput: input,
  };
}

/** What a changing call is about to do, as the editor's own diffs; empty for any other call. */
export function diffsOf(name: string, input: Arguments, cwd: string): ToolCallContent[] {
  const { path } = input;
  if (typeof path !== "string") return [];
  const at = absolute(path, cwd);
  if (name === "write" && typeof input.content === "string") {
    return [{ type: "diff", path: at, newText: input.content }];
  }
  if (name !== "edit" || !Array.isArray(input.edits)) return [];
  return input.edits.flatMap((edit: unknown) => {
    const { oldText, newText } = (edit ?? {}) as Arguments;
    return typeof oldText === "string" && typeof newText === "string"
      ? [{ type: "diff" as const, path: at, oldText, newText }]
      : [];
  });
}

/** A result's blocks as content of the call. */
export function resultContent(blocks: readonly (TextContent | ImageContent)[]): ToolCallContent[] {
  return blocks.map((block) => ({
    type: "content",
    content:
      block.type === "text"
        ? { type: "text", text: block.text }
        : { type: "image", data: block.data, mimeType: block.mimeType },
  }));
}

/** The place of a change is known once it has been made. */
export function changedLine(details: unknown): number | undefined {
  const line = (details as { readonly firstChangedLine?: unknown } | undefined)?.firstChangedLine;
  return typeof line === "number" ? line : undefined;
}

function locationsOf({ path, offset }: Arguments, cwd: string): ToolCallLocation[] {
  if (typeof path !== "string") return [];
  return [{ path: absolute(path, cwd), ...(typeof offset === "number" ? { line: offset } : {}) }];
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
