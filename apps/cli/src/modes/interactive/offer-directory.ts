import { inertLine } from "../../render/terminal-text.ts";
import type { Layout } from "./layout.ts";

const HERE = "here";
const MAX_CHARACTERS = 300;

export interface GoneDirectory {
  /** The directory that the session worked in. */
  readonly gone: string;
  /** Where its tools would work instead. */
  readonly instead: string;
}

/** A session whose directory is gone (fault B027): true = go on in the other one; nothing has been written by then. */
export async function offerDirectory(layout: Layout, { gone, instead }: GoneDirectory): Promise<boolean> {
  const chosen = await layout.pick({
    title: [`The session's directory is gone: ${inertLine(gone, MAX_CHARACTERS)}`, ""],
    choices: [
      { value: HERE, label: `Go on in ${instead}`, description: "the current directory" },
      { value: "leave", label: "Leave, and keep the session as it is" },
    ],
  });
  return chosen === HERE;
}
