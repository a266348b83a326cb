import { readFileSync } from "node:fs";
import { type Places, type PlacesOptions, resolvePlaces } from "./places.ts";

/** Where everything lies, the user's setting `sessionDir` included. A project cannot move the sessions. */
export async function placesWithSettings(
  options: Omit<PlacesOptions, "sessionDirectorySetting">,
): Promise<Places> {
  const places = resolvePlaces(options);
  const text = textOf(places.settingsFile);
  // Few have the setting, and without it nothing needs to be loaded to read it.
  if (!text.includes("sessionDir")) return places;
  const { createLocalConfigFiles, loadSettings } = await import("@coppice/coding-agent");
  const { user } = await loadSettings({
    files: createLocalConfigFiles(),
    userPath: places.settingsFile,
    isProjectTrusted: false,
  });
  return user.sessionDir === undefined
    ? places
    : resolvePlaces({ ...options, sessionDirectorySetting: user.sessionDir });
}

/** Read at once: nothing else can be done before, and a first asynchronous read starts threads. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
