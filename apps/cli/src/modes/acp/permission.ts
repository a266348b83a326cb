import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import type { PermissionAnswer, PermissionRequest } from "@coppice/coding-agent";

const ANSWERS = {
  allow_once: { decision: "allow" },
  allow_always: { decision: "allow", remember: "session" },
  reject_once: { decision: "deny" },
} as const satisfies Readonly<Partial<Record<PermissionOption["kind"], PermissionAnswer>>>;

/** What an editor offers its user; a rule is offered only where one would fit. */
export function permissionOptions({ suggestedRule }: PermissionRequest): PermissionOption[] {
  return [
    { optionId: "allow_once", kind: "allow_once", name: "Allow" },
    ...(suggestedRule === undefined
      ? []
      : [
          {
            optionId: "allow_always",
            kind: "allow_always" as const,
            name: `Allow ${suggestedRule} in this session`,
          },
        ]),
    { optionId: "reject_once", kind: "reject_once", name: "Deny" },
  ];
}

/** Anything but a choice that was offered is a no. */
export function permissionAnswer(outcome: RequestPermissionOutcome): PermissionAnswer {
  if (outcome.outcome !== "selected") return { decision: "deny" };
  const { optionId } = outcome;
  return optionId in ANSWERS ? ANSWERS[optionId as keyof typeof ANSWERS] : { decision: "deny" };
}
