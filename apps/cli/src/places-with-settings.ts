import { readFile } from "node:fs/promises";
import { type Places, type PlacesOptions, resolvePlaces } from "./places.ts";

/** Where everything lies, the user's setting `sessionDir` included. A project cannot move the sessions. */
export async function placesWithSettings(
  options: Omit<PlacesOptions, "sessionDirectorySetting">,
): Promise<Places> {
  const places = resolvePlaces(options);
  const text = await readFile(places.settingsFile, "utf8").catch(() => "");
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
