import { createHash } from "node:crypto";
import type { ExportData } from "./export-data.ts";

/** The first line of every page, by which an earlier export is known. */
export const PAGE_MARK = "<!doctype html><!-- coppice export -->";

/** What draws the page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * The page as one file that runs its own script only, loads nothing and sends nothing.
 *
 * The policy names script and style by their hashes: nothing that a session holds can run even if it became markup,
 * which it cannot, since it stands in the page as data alone.
 */
export function htmlPage(data: ExportData, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    PAGE_MARK,
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(data.session.name ?? `Session ${data.session.id}`)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<noscript>This page draws the conversation with a script of its own; it loads and sends nothing.</noscript>",
    `<script type="application/json" id="session-data">${inertJson(data)}</script>`,
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** JSON that no parser of markup can take for anything else, and that reads in its order. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("\0", "\ufffd");
}
