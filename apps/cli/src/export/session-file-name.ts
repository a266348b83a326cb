/** The name of a file about a session, where nobody named one: its id, whatever that holds, and an ending without dot. */
export function sessionFileName(id: string, ending: string): string {
  return `${id.replace(/[^\w.-]/g, "_")}.${ending}`;
}
