/**
 * Which files ripgrep looks at: hidden ones too, but not `.git`; what git ignores is left out, also where there is no
 * repository. Links are not followed.
 */
export const RIPGREP_FILE_ARGUMENTS: readonly string[] = [
  "--hidden",
  "--no-require-git",
  "--glob=!.git",
  "--no-messages",
  "--color=never",
];
