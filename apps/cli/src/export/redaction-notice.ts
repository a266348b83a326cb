/** What a person should know about the secrets of an export, as one sentence. */
export function redactionNotice(redactedSecrets: number | null, what: "page" | "file"): string {
  if (redactedSecrets === null)
    return `Secrets were not looked for; the ${what} holds everything that the session holds.`;
  if (redactedSecrets === 0)
    return `No secret of a known form was found; look through the ${what} before you share it.`;
  const count = redactedSecrets === 1 ? "1 secret was" : `${redactedSecrets} secrets were`;
  return `${count} replaced; look through the ${what} before you share it.`;
}
