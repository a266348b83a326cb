import { expect, onTestFinished, test, vi } from "vitest";
import { withEscapeWait } from "../../env.ts";
import { OwnTerminal, unwrapped } from "./own-terminal.ts";

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";

test("B199: lines do not wrap while a frame is drawn, and wrap again after it", () => {
  expect(unwrapped(`${BEGIN}lines${END}`)).toBe(`\u001b[?7l${BEGIN}lines${END}\u001b[?7h`);
  // A long frame comes in pieces.
  expect([`${BEGIN}a`, "b", `c${END}`].map(unwrapped).join("")).toBe(unwrapped(`${BEGIN}abc${END}`));
  expect(unwrapped("\u001b[3G")).toBe("\u001b[3G");
});

/** The terminal of this process, on which nothing is written; what `press` gives is what the person typed. */
function startTerminal(heard: (data: string) => void) {
  vi.useFakeTimers();
  vi.stubEnv("PI_TUI_ESC_TIMEOUT", "");
  vi.stubEnv("SSH_CONNECTION", "");
  vi.stubEnv("SSH_TTY", "");
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const terminal = new OwnTerminal();
  terminal.start(heard, () => {});
  onTestFinished(() => {
    terminal.stop();
    write.mockRestore();
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });
  return { press: (data: string) => void process.stdin.emit("data", data) };
}

test("UI-06: a line may tear Alt+Enter apart; Esc alone is Esc after 50 ms", () => {
  const heard: string[] = [];
  const { press } = startTerminal((data) => heard.push(data));
  press("\u001b");
  vi.advanceTimersByTime(45);
  press("\r");
  expect(heard).toEqual(["\u001b\r"]);
  press("\u001b");
  vi.advanceTimersByTime(49);
  expect(heard).toHaveLength(1);
  vi.advanceTimersByTime(1);
  press("\r");
  expect(heard.slice(1)).toEqual(["\u001b", "\r"]);
});

test("UI-06, UI-18: the wait after an escape is the person's choice where they made one, and nobody inherits it", () => {
  const seen = (variables: Record<string, string>) => {
    let wait: string | undefined;
    withEscapeWait(() => {
      wait = variables.PI_TUI_ESC_TIMEOUT;
    }, variables);
    return [wait, variables.PI_TUI_ESC_TIMEOUT];
  };
  expect(seen({})).toEqual(["50", undefined]);
  expect(seen({ PI_TUI_ESC_TIMEOUT: "500" })).toEqual(["500", "500"]);
  expect(seen({ SSH_TTY: "/dev/pts/1" })).toEqual([undefined, undefined]);
});

test("UI-07: a reply of the terminal that comes late and in pieces is never typed; what is typed after it is", () => {
  const heard: string[] = [];
  const { press } = startTerminal((data) => heard.push(data));
  for (const reply of ["\u001b[?1u", "\u001b[?62;c"]) {
    for (const piece of [reply.slice(0, 4), reply.slice(4)]) {
      press(piece);
      vi.advanceTimersByTime(20);
    }
  }
  expect(heard).toEqual([]);
  // The pieces of another reply, which is told whole however late its end comes.
  press("\u001b]11;rgb:ff");
  vi.advanceTimersByTime(5_000);
  press("ff/ffff/ffff\u001b\\a");
  expect(heard).toEqual(["\u001b]11;rgb:ffff/ffff/ffff\u001b\\", "a"]);
});
