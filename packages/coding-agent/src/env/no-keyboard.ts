/** Fails at once and says why: an editor that opens with nobody there would hang. Git runs it with a shell. */
const NO_EDITOR =
  "sh -c 'echo \"Nobody can use an editor here. Pass the text as an argument (git commit -m), or set GIT_EDITOR=true to take it as it is.\" >&2; exit 1'";

/** Variables of git (git(1), 2.47) and of editors and pagers in general (environ(7)). */
const NO_KEYBOARD = {
  EDITOR: NO_EDITOR,
  VISUAL: NO_EDITOR,
  GIT_EDITOR: NO_EDITOR,
  GIT_TERMINAL_PROMPT: "0",
  PAGER: "cat",
  GIT_PAGER: "cat",
} as const;

/**
 * The variables with editors, pagers and prompts turned off: a command has neither a keyboard nor a terminal.
 *
 * A command line can still set its own (`GIT_EDITOR=true git rebase --continue`). Names in `keep` stay as they are.
 */
export function withoutKeyboard(
  variables: Readonly<Record<string, string>>,
  { keep }: { readonly keep: readonly string[] },
): Readonly<Record<string, string>> {
  const kept = keep.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]]));
  return { ...variables, ...NO_KEYBOARD, ...Object.fromEntries(kept) };
}
