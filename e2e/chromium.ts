import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"] as const;
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/opt/google/chrome/chrome",
] as const;

/** Set where a missing browser is a failure: `.ci/run` installs one and sets it. */
export const REQUIRED_VARIABLE = "COPPICE_REQUIRE_CHROMIUM";

/** Path of a Chromium that is installed; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(":").filter((folder) => folder !== "");
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES];
  return candidates.find(isExecutable);
}

/** Starts it, without its own sandbox, which root has none of: the pages come from tests. */
export function startChromium(executablePath: string): Promise<Browser> {
  // Containers have little shared memory.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath, timeout: 120_000, args });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
