import { call, SessionText, text } from "./export-fixture.ts";

/** A PNG of one pixel, base64. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What somebody who wants to harm the reader of a page would put into a session. */
export function hostileSession(): SessionText {
  const evil = [
    ...[
      "<img src=x onerror=alert(1)>",
      "</script><script>alert(2)</script>",
      "<!--<script>",
      "]]>",
      "</style>",
    ],
    ...[
      "[x](javascript:alert(3))",
      "[x](java\nscript:alert(4))",
      "[x](\u0001javascript:alert(5))",
      "<javascript:alert(6)>",
    ],
    ...[
      "![x](https://tracker.example/p.png)",
      "[x](data:text/html;base64,PHNjcmlwdD4=)",
      '[x](https://a.example/" onmouseover="alert(7))',
    ],
    ...[
      "\u001b]0;title\u0007\u001b[31mred\u001b[0m",
      "\u202Egnp.exe",
      "nul\u0000nul",
      "{{constructor.constructor('alert(8)')()}}",
    ],
    ...[
      "<svg onload=alert(9)>",
      "<base href=https://evil.example>",
      "\u2028\u2029",
      "\ud800 alone",
      "__proto__",
    ],
  ];
  const name = evil.slice(0, 3).join("");
  const session = new SessionText({ cwd: name, id: "hostile" });
  evil.forEach((text_, index) => {
    session.user(`u${index}${text_.slice(0, 20)}`, text_);
    session.assistant(
      `a${index}`,
      [
        { type: "thinking", thinking: text_ },
        text(
          `# ${text_}\n\n- ${text_}\n\n| a | b |\n|---|---|\n| ${text_} | x |\n\n\`\`\`${text_}\n${text_}\n\`\`\`\n\n${text_}`,
        ),
        call(`c${index}${text_}`, text_, {
          path: text_,
          edits: [{ oldText: text_, newText: text_ }],
          [text_]: text_,
        }),
      ],
      { model: text_, provider: text_, errorMessage: text_, stopReason: "error" },
    );
    session.result(`r${index}`, `c${index}${text_}`, text_, {
      toolName: text_,
      details: { diff: `+${text_}`, signal: text_ },
    });
    session.add(`l${index}`, { type: "label", targetId: `a${index}`, label: text_ });
    session.add(`x${index}`, { type: text_, data: text_ });
  });
  session.user("images", [
    { type: "image", mimeType: "image/png", data: PIXEL },
    {
      type: "image",
      mimeType: "image/svg+xml",
      data: Buffer.from("<svg onload='alert(10)'/>").toString("base64"),
    },
    { type: "image", mimeType: 'image/png" onerror="alert(11)', data: PIXEL },
    { type: "image", mimeType: "image/png", data: '" onerror="alert(12)' },
    { type: "image", mimeType: "image/png", data: "A".repeat(13_000_000) },
  ]);
  session.add("name", { type: "session_info", name });
  return session;
}
