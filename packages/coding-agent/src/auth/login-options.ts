import type { Sleep } from "../sleep.ts";
import type { OAuthServer } from "./oauth-server.ts";

/** What a person has to do now: open the address, and for `device` type the code there. */
export type LoginStep =
  | { readonly way: "browser"; readonly url: string }
  | {
      readonly way: "device";
      readonly url: string;
      readonly code: string;
      /** Unix milliseconds. */
      readonly expiresAtMs: number;
    };

export interface LoginOptions {
  /** As it is named in messages. */
  readonly provider: string;
  readonly server: OAuthServer;
  readonly fetch: typeof fetch;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly show: (step: LoginStep) => void | Promise<void>;
  /**
   * The address that the browser ended at, or the code that a page shows, where a person pastes it; for browsers that do
   * not run on this machine. The signal fires once nobody waits for it; a rejection ends the login.
   */
  readonly paste?: ((signal: AbortSignal) => Promise<string>) | undefined;
}
