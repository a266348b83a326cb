import { homedir } from "node:os";

/** Bracketed paste, as xterm's ctlseqs has it. */
const [PASTE_BEGIN, PASTE_END] = ["\u001b[200~", "\u001b[201~"];
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/**
 * Terminals paste a dropped file as its path, quoted or with backslashes. The path of an image becomes a mention, so
 * that the image is sent and not its name; everything else stays what it is. `data` is the terminal's input.
 */
export function withImageMention(data: string): string {
  if (!data.startsWith(PASTE_BEGIN) || !data.endsWith(PASTE_END)) return data;
  const pasted = data.slice(PASTE_BEGIN.length, -PASTE_END.length).trim();
  if (pasted.includes("\n")) return data;
  const path = unquoted(pasted);
  if (!/^(?:[/~]|[A-Za-z]:[\\/])/.test(path) || !IMAGE.test(path) || path.includes('"')) return data;
  const absolute = path.replace(/^~(?=\/)/, () => homedir());
  return `${PASTE_BEGIN}${mentionOf(absolute)} ${PASTE_END}`;
}

/** A path as a mention. */
export function mentionOf(path: string): string {
  return /[\s@]/.test(path) ? `@"${path}"` : `@${path}`;
}

function unquoted(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  if (text.startsWith("file://")) {
    try {
      return decodeURIComponent(text.slice("file://".length));
    } catch {
      return text;
    }
  }
  return text.replace(/\\([ ()'&[\]])/g, "$1");
}
