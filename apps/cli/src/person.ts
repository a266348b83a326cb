import type { PermissionGuardOptions, PermissionMode, ResolveTrustOptions } from "@coppice/coding-agent";

/** The person behind a run, as far as they can be asked. */
export interface Person {
  /** Whether a tool call may run; absent = what would be asked is denied. */
  readonly permission?: NonNullable<PermissionGuardOptions["ask"]>;
  /** Whether the project's own settings, extensions and the like may take effect; absent = they do not. */
  readonly trust?: NonNullable<ResolveTrustOptions["ask"]>;
  /** Whether the mode shows the dialogs of extensions (`attachDialogs`); absent = they are dismissed. */
  readonly hasDialogs?: boolean;
  /** What holds where neither a flag nor the settings say how careful to be. */
  readonly permissionMode: PermissionMode;
}

/** Nobody is there. */
export const NOBODY: Person = { permissionMode: "auto" };
