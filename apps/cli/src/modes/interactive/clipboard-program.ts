import { execFile } from "node:child_process";
import type { NativeClipboard } from "@earendil-works/pi-tui";
import { inertLine } from "../../render/terminal-text.ts";

export type ImageClipboard = Pick<NativeClipboard, "getImage">;

export interface ClipboardProgramOptions {
  /** What the program is run with; its PATH is where it is looked for. */
  readonly environmentVariables: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** After so long the program is ended. */
  readonly timeoutMs: number;
  /** For where no program belongs to the screen, or it is not installed. */
  readonly native: ImageClipboard | undefined;
}

/** Larger than any screen as PNG. */
const MAX_IMAGE_BYTES = 64 * 1024 ** 2;
const MAX_REASON_CHARACTERS = 200;
const PNG_SIGNATURE = Buffer.from("\u0089PNG\r\n\u001a\n", "latin1");

/**
 * The clipboard of the screen, by the program that the desktop has for it: `wl-paste` on Wayland, whose clipboard the
 * terminal library cannot read, and `xclip` on X11 where it has no helper for the machine.
 *
 * Rejects with what the program says when it gives no image: whether it failed or there is none is its to say.
 */
export function clipboardProgram(options: ClipboardProgramOptions): ImageClipboard | undefined {
  const { environmentVariables, platform, native } = options;
  if (platform !== "linux") return native;
  const { WAYLAND_DISPLAY: wayland = "", DISPLAY: x11 = "" } = environmentVariables;
  if (wayland !== "") return reader("wl-paste", ["--type", "image/png"], options);
  if (x11 === "" || native !== undefined) return native;
  return reader("xclip", ["-selection", "clipboard", "-target", "image/png", "-out"], options);
}

function reader(
  program: string,
  args: readonly string[],
  { environmentVariables, timeoutMs, native }: ClipboardProgramOptions,
): ImageClipboard {
  const getImage = () =>
    new Promise<Uint8Array | null | undefined>((resolve, reject) => {
      const limits = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MAX_IMAGE_BYTES } as const;
      const options = { ...limits, encoding: "buffer", env: environmentVariables } as const;
      execFile(program, args, options, (error, stdout, stderr) => {
        if (error === null && stdout.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
          resolve(stdout);
        } else if (error?.code === "ENOENT") {
          resolve(native?.getImage());
        } else {
          reject(new Error(`${program} gives no image: ${reasonOf(error, stderr)}`));
        }
      });
    });
  return { getImage };
}

function reasonOf(error: { readonly killed?: boolean | undefined } | null, stderr: Buffer): string {
  if (error?.killed === true) return "it does not answer.";
  const [line = ""] = stderr.toString("utf8").trim().split("\n");
  return line === "" ? "it says nothing." : inertLine(line, MAX_REASON_CHARACTERS);
}
