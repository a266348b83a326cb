import type { LoginStep } from "@coppice/coding-agent";
import { inertLine } from "./terminal-text.ts";

/** An address is shown whole, or it leads nowhere. */
const MOST_ADDRESS_CHARACTERS = 4000;

/** What a person has to do to log in. */
export function loginLines(step: LoginStep, { canPaste }: { readonly canPaste: boolean }): readonly string[] {
  const address = `  ${inertLine(step.url, MOST_ADDRESS_CHARACTERS)}`;
  if (step.way === "device") {
    return [
      "Open this address in a browser, on any machine:",
      address,
      `and type this code there: ${step.code}`,
    ];
  }
  return [
    "Open this address in a browser on this machine:",
    address,
    ...(canPaste
      ? [
          "If the browser runs elsewhere, paste the address that it ends at (or the code that the page shows) here.",
        ]
      : []),
  ];
}
