import { createHash } from "node:crypto";
import type { ContextDraft, HookRunner, ToolOutcome } from "@coppice/agent";
import type { ImageContent, TextContent } from "@coppice/ai";
import type { CodingAgentHooks, UserInput } from "../hooks.ts";
import { sizeInHead } from "../text/image-size.ts";
import { fitImage } from "./fit-image.ts";
import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from "./image-limits.ts";
import { type ShrinkImage, shrinkImage } from "./shrink-image.ts";

export interface FitImagesOptions {
  /** Those of the model that answers next; asked for each time. Default: what every vendor takes. */
  readonly limits?: () => ImageLimits;
  readonly shrink?: ShrinkImage;
}

interface AnyBlock {
  readonly type: string;
}

/** Enough base64 for the metadata that a JPEG may put before its size; a multiple of 4. */
const HEAD_CHARS = 65_536;

/** Answers that are kept, so that an image of an old session is not made smaller for every request. */
const MOST_KEPT = 200;

/**
 * Every image is within the limits of the chosen model, wherever it comes from (fault kind TO-05): results of tools and
 * what the user attaches before they are stored, and whatever else a session holds before it is sent, so that a model with
 * smaller limits can follow. One that cannot be is told as text.
 */
export class FitImages {
  readonly #limits: () => ImageLimits;
  readonly #shrink: ShrinkImage;
  readonly #kept = new Map<string, TextContent | ImageContent>();

  constructor({ limits = () => DEFAULT_IMAGE_LIMITS, shrink = shrinkImage }: FitImagesOptions = {}) {
    this.#limits = limits;
    this.#shrink = shrink;
  }

  attach(hooks: HookRunner<CodingAgentHooks>): void {
    const registration = { owner: "image limits" };
    hooks.on("tool_result", (outcome, signal) => this.#result(outcome, signal), registration);
    hooks.on("input", (input, signal) => this.#input(input, signal), registration);
    hooks.on("context", (draft, signal) => this.#context(draft, signal), registration);
  }

  async #result({ content }: ToolOutcome, signal: AbortSignal): Promise<Partial<ToolOutcome> | undefined> {
    const fitted = await this.#blocks(content, signal, isImage);
    return fitted === content ? undefined : { content: fitted };
  }

  async #input({ text, images }: UserInput, signal: AbortSignal): Promise<UserInput> {
    const blocks = await this.#blocks(images, signal, isImage);
    const notes = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
    return {
      text: [text, ...notes].filter((part) => part !== "").join("\n\n"),
      images: blocks.filter(isImage),
    };
  }

  async #context(draft: ContextDraft, signal: AbortSignal): Promise<ContextDraft> {
    const isSuspect = (block: AnyBlock) => isImage(block) && this.#isSuspect(block);
    const messages = await Promise.all(
      draft.messages.map(async (message) => {
        if (!("content" in message) || !Array.isArray(message.content)) return message;
        const content = await this.#blocks<AnyBlock>(message.content, signal, isSuspect);
        return content === message.content ? message : ({ ...message, content } as typeof message);
      }),
    );
    return { ...draft, messages };
  }

  /** The blocks with the images among those picked fitted; the same list when nothing had to change. */
  async #blocks<Block extends AnyBlock>(
    blocks: readonly Block[],
    signal: AbortSignal,
    isPicked: (block: AnyBlock) => boolean,
  ): Promise<readonly (Block | TextContent | ImageContent)[]> {
    if (!blocks.some(isPicked)) return blocks;
    const fitted: (Block | TextContent | ImageContent)[] = [];
    for (const block of blocks) {
      fitted.push(isImage(block) && isPicked(block) ? await this.#fit(block, signal) : block);
    }
    return fitted;
  }

  /** Told by the first bytes: most images are small, and this is asked of all of them for every request. */
  #isSuspect({ data, mimeType }: ImageContent): boolean {
    const { maxSidePixels, maxBase64Bytes, mimeTypes } = this.#limits();
    if (data.length > maxBase64Bytes || mimeTypes?.includes(mimeType) === false) return true;
    const size = sizeInHead(Buffer.from(data.slice(0, HEAD_CHARS), "base64"), mimeType);
    return size === undefined || Math.max(size.width, size.height) > maxSidePixels;
  }

  async #fit(image: ImageContent, signal: AbortSignal): Promise<TextContent | ImageContent> {
    const limits = this.#limits();
    const key = `${createHash("sha256").update(image.data).digest("base64")} ${JSON.stringify(limits)}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const bytes = Buffer.from(image.data, "base64");
    const fitted = await fitImage(bytes, { limits, signal, shrink: this.#shrink });
    if (!("problem" in fitted) && fitted.original === undefined && fitted.mimeType === image.mimeType)
      return image;
    const block: TextContent | ImageContent =
      "problem" in fitted
        ? { type: "text", text: `[An image was here that cannot be used: ${fitted.problem}.]` }
        : { type: "image", data: fitted.data, mimeType: fitted.mimeType };
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, block);
    return block;
  }
}

function isImage(block: AnyBlock): block is ImageContent {
  return block.type === "image" && "data" in block && typeof block.data === "string";
}
