/** Which rows of a list are in sight, so that the selected one is among them and near the middle. */
export function listWindow(
  count: number,
  selected: number,
  size: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), count - size));
  return { from, to: Math.min(count, from + size) };
}

/** The index that a key moves to; undefined for a key that does not move. Both ends hold. */
export function movedIndex(
  matches: (
    key: "tui.select.up" | "tui.select.down" | "tui.select.pageUp" | "tui.select.pageDown",
  ) => boolean,
  { index, count, page }: { readonly index: number; readonly count: number; readonly page: number },
): number | undefined {
  const step = matches("tui.select.up")
    ? -1
    : matches("tui.select.down")
      ? 1
      : matches("tui.select.pageUp")
        ? -page
        : matches("tui.select.pageDown")
          ? page
          : undefined;
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, index + step));
}
