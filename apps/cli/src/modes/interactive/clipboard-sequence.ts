/** What hands a text to the terminal's clipboard (OSC 52, as xterm's ctlseqs and most terminals since have it). */
export function clipboardSequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text, "utf8").toString("base64")}\u0007`;
}
