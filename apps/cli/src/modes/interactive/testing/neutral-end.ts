/** Of these, what follows chooses a colour and is no code of its own: `38;5;N`, `38;2;R;G;B`. */
const EXTENDED: Readonly<Record<number, number>> = { 5: 1, 2: 3 };

/** Whether no colour and no attribute is on behind the last character of a line. */
export function isNeutralAtEnd(line: string): boolean {
  const on = new Set<string>();
  for (const sequence of line.split("\u001b[").slice(1)) {
    const codes = (/^([\d;]*)m/.exec(sequence)?.[1]?.split(";") ?? []).map(Number);
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] ?? 0;
      if (code === 38 || code === 48) at += 1 + (EXTENDED[codes[at + 1] ?? 0] ?? 0);
      apply(on, code);
    }
  }
  return on.size === 0;
}

function apply(on: Set<string>, code: number): void {
  if (code === 0) on.clear();
  else if (code === 39) on.delete("colour");
  else if (code === 49) on.delete("background");
  else if (code === 22) on.delete("weight");
  else if (code > 22 && code < 30) on.delete(`attribute ${code - 20}`);
  else if (code < 3) on.add("weight");
  else if (code < 10) on.add(`attribute ${code}`);
  else on.add((code >= 40 && code < 50) || code >= 100 ? "background" : "colour");
}
