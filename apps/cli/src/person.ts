import type {
  DialogPresenter,
  PermissionGuardOptions,
  PermissionMode,
  ResolveTrustOptions,
} from "@coppice/coding-agent";

/** The person behind a run, as far as they can be asked. */
export interface Person {
  /** Whether a tool call may run; absent = what would be asked is denied. */
  readonly permission?: NonNullable<PermissionGuardOptions["ask"]>;
  /** Whether the project's own settings, extensions and the like may take effect; absent = they do not. */
  readonly trust?: NonNullable<ResolveTrustOptions["ask"]>;
  /** Shows the dialogs of extensions; absent = they are dismissed. */
  readonly dialogs?: DialogPresenter;
  /** Hears what an agent waits for while it is made ("the extension x to be set up"); returns what ends that, also twice. */
  readonly waiting?: (what: string) => () => void;
  /** What holds where neither a flag nor the settings say how careful to be. */
  readonly permissionMode: PermissionMode;
}

/** Nobody is there. */
export const NOBODY: Person = { permissionMode: "auto" };
