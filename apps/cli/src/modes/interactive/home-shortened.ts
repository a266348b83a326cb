/** A directory as people write it: `~` for their home. */
export function homeShortened(directory: string, home: string | undefined): string {
  if (home === undefined || home === "/" || home === "") return directory;
  if (directory === home) return "~";
  return directory.startsWith(`${home}/`) ? `~${directory.slice(home.length)}` : directory;
}
