import type { FileSystem } from "@coppice/coding-agent";

/** The methods that every file system has; the others are optional and stay on their side. */
export type RemoteFileMethod = Exclude<keyof FileSystem, "remove" | "setMode">;

/** What the agent's side asks for. Ids are its own. */
export type RemoteCall =
  | {
      readonly id: number;
      readonly port: "files";
      readonly method: RemoteFileMethod;
      readonly args: readonly unknown[];
    }
  | {
      readonly id: number;
      readonly port: "shell";
      readonly command: string;
      readonly cwd: string;
      readonly timeoutMs: number | undefined;
    };

/** Any number of `output`, then one of the others. Errors keep the code that tools look at. */
export type RemoteReply = { readonly id: number } & (
  | { readonly output: Uint8Array }
  | { readonly value: unknown }
  | { readonly error: { readonly message: string; readonly code: string | undefined } }
);
