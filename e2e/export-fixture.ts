import { writeFile } from "node:fs/promises";

/** A line of a session file, without what every line has. */
type Draft = Readonly<Record<string, unknown>>;

/** Builds session files line by line, with ids that a test can name. */
export class SessionText {
  readonly #lines: string[];
  #parent: string | null = null;
  #minute = 0;

  constructor(header: Draft = {}) {
    const start = {
      type: "session",
      version: 3,
      id: "export-test",
      timestamp: this.#now(),
      cwd: "/home/me/project",
    };
    this.#lines = [JSON.stringify({ ...start, ...header })];
  }

  /** Appends an entry under the one before, or under `parent`; gives its id. */
  add(id: string, draft: Draft, parent: string | null = this.#parent): string {
    const { type, ...fields } = draft;
    this.#lines.push(JSON.stringify({ type, id, parentId: parent, timestamp: this.#now(), ...fields }));
    if (type !== "label" && type !== "session_info") this.#parent = id;
    return id;
  }

  message(id: string, message: Draft, parent?: string | null): string {
    return this.add(id, { type: "message", message: { timestamp: 1_790_000_000_000, ...message } }, parent);
  }

  user(id: string, content: unknown, parent?: string | null): string {
    return this.message(id, { role: "user", content }, parent);
  }

  assistant(id: string, content: unknown, more: Draft = {}): string {
    return this.message(id, { role: "assistant", content, ...ANSWER, ...more });
  }

  result(id: string, toolCallId: string, text: string, more: Draft = {}): string {
    const content = [{ type: "text", text }];
    return this.message(id, {
      role: "toolResult",
      toolCallId,
      toolName: "bash",
      content,
      isError: false,
      ...more,
    });
  }

  raw(line: string): void {
    this.#lines.push(line);
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  async writeTo(path: string): Promise<string> {
    await writeFile(path, this.text());
    return path;
  }

  #now(): string {
    return new Date(Date.UTC(2026, 10, 1, 9, this.#minute++)).toISOString();
  }
}

const ANSWER = {
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-sonnet-5-5",
  stopReason: "stop",
  usage: usage(1200, 300),
};

/** Tokens and a price that goes with them. */
export function usage(input: number, output: number, cacheRead = 0): Draft {
  const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: cacheRead * 3e-7, cacheWrite: 0 };
  const total = Object.values(cost).reduce((sum, part) => sum + part, 0);
  return {
    input,
    output,
    cacheRead,
    cacheWrite: 0,
    totalTokens: input + output + cacheRead,
    cost: { ...cost, total },
  };
}

export const text = (content: string): Draft => ({ type: "text", text: content });
export const call = (id: string, name: string, args: Draft): Draft => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});

/** A session as people have them: prompts, thinking, tools, a change, a failure, two forks, labels, two compactions. */
export function everydaySession(): SessionText {
  const session = new SessionText();
  session.add("model", { type: "model_change", provider: "anthropic", modelId: "claude-sonnet-5-5" });
  session.user("ask", "The login page forgets where I came from.\nAfter signing in I want to be back there.");
  session.assistant(
    "look",
    [
      {
        type: "thinking",
        thinking: "The redirect is probably lost in the session middleware.\nLet me look at the routes.",
      },
      text("I look at how the login route is built."),
      call("c1", "read", { path: "src/routes/login.ts" }),
      call("c2", "bash", { command: "npm test -- login" }),
    ],
    { stopReason: "toolUse", durationMs: 4200, usage: usage(2400, 180) },
  );
  session.result("r1", "c1", LOGIN_SOURCE, { toolName: "read" });
  session.result(
    "r2",
    "c2",
    "\u001b[31m✗ keeps the address\u001b[0m\n  \u001b[2mexpected /orders, got /\u001b[0m\n\n\u001b[1m1 failed\u001b[0m, 7 passed",
    { isError: true, details: { exitCode: 1, durationMs: 2310 } },
  );
  session.assistant(
    "fix",
    [
      text("The address is read **after** the session is renewed, so it is gone. I move it up:"),
      call("c3", "edit", {
        path: "src/routes/login.ts",
        edits: [{ oldText: "renew(session)", newText: "const to = session.returnTo;\nrenew(session)" }],
      }),
    ],
    { stopReason: "toolUse", usage: usage(900, 220, 2400) },
  );
  session.result("r3", "c3", "Edited src/routes/login.ts", {
    toolName: "edit",
    details: { diff: LOGIN_DIFF },
  });
  session.assistant("done", [text(SUMMARY_ANSWER)], { usage: usage(400, 420, 3600), durationMs: 6100 });
  session.add("l1", { type: "label", targetId: "done", label: "login fixed" });
  session.user("other", "Use a cookie instead of the session.", "done");
  session.assistant(
    "cookie",
    [
      text(
        "A signed cookie works as well; here is what changes.\n\n1. `returnTo` moves into the cookie\n2. the middleware signs it\n3. both tests stay",
      ),
    ],
    { usage: usage(600, 260, 4200) },
  );
  session.add(
    "back",
    { type: "branch_summary", fromId: "cookie", summary: "## Goal\nA signed cookie was tried and left." },
    "done",
  );
  session.user("go", "Stay with the session. Now write the changelog.");
  session.assistant(
    "log",
    [
      call("c4", "write", {
        path: "CHANGELOG.md",
        content: "# Changes\n\n- Signing in leads back to where one came from.\n",
      }),
    ],
    { stopReason: "toolUse", usage: usage(700, 90, 4600) },
  );
  session.result("r4", "c4", "Wrote 62 bytes", { toolName: "write" });
  for (let turn = 0; turn < 24; turn++) {
    session.user(`more-${turn}`, `And what about case ${turn + 1}?`);
    session.assistant(
      `answer-${turn}`,
      [text(`Case ${turn + 1} holds: the address is kept for \`/orders/${turn}\`.`)],
      { usage: usage(300, 120, 5000 + (turn % 12) * 2600) },
    );
    if (turn % 12 === 11)
      session.add(`compact-${turn}`, {
        type: "compaction",
        summary: COMPACTION,
        firstKeptEntryId: `answer-${turn}`,
        tokensBefore: 5400 + 12 * 2600,
        usage: usage(800, 300, 30_000),
      });
  }
  session.user("end", "Thanks!");
  session.assistant("bye", [text("Glad it works.")], { usage: usage(300, 40, 6200) });
  session.add("n1", { type: "session_info", name: "Back to where one came from" });
  return session;
}

const LOGIN_SOURCE = `import { renew } from "../session.ts";

/** Signs somebody in. */
export async function login(request: Request) {
  const session = await sessionOf(request); // may be new
  renew(session);
  return redirect(session.returnTo ?? "/", 303);
}`;

const LOGIN_DIFF = ` 4 export async function login(request: Request) {
 5   const session = await sessionOf(request); // may be new
-6   renew(session);
-7   return redirect(session.returnTo ?? "/", 303);
+6   const to = session.returnTo ?? "/";
+7   renew(session);
+8   return redirect(to, 303);
 9 }`;

const SUMMARY_ANSWER = `### What was wrong

Renewing a session makes a *new* one, and \`returnTo\` belonged to the old one.

| case | before | now |
|---|---|---|
| from \`/orders\` | \`/\` | \`/orders\` |
| direct | \`/\` | \`/\` |

\`\`\`ts
const to = session.returnTo ?? "/"; // read it first
renew(session);
\`\`\`

> All eight tests pass. See [the guide](https://example.org/sessions) for the rule.

- [x] fix
- [ ] changelog`;

const COMPACTION = `## Goal
Signing in leads back to where one came from.

## Progress
### Done
- \`login.ts\` reads the address before the session is renewed
- tests pass

## Next Steps
1. Look at the remaining cases`;
