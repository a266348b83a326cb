import fc from "fast-check";
import { expect, test } from "vitest";
import { seededSecrets } from "../testing/seeded-secrets.ts";
import { findSecrets, SECRET_KINDS } from "./find-secrets.ts";
import { createRedactor, redactSecrets } from "./redactor.ts";

const SEEDS = [1, 2, 3, 4];

test.each(SEEDS)("500 made-up secrets of 50 kinds leave nothing in redacted text (seed %i)", (seed) => {
  const secrets = seededSecrets(500, seed);
  expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30);
  const leaks = secrets.filter(({ secret, text }) => leftOver(redactSecrets(text), secret));
  expect(leaks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
});

test("the same secrets are found in a JSON string, behind a line feed that is written as such, and in an address", () => {
  const secrets = seededSecrets(500, 7);
  const leaks = secrets.flatMap(({ kind, secret, text }) => {
    const inJson = JSON.stringify({ output: `first line\n${text}\nlast line` });
    const written = JSON.stringify(secret).slice(1, -1);
    const nested = `echo ${inJson}`;
    return leftOver(redactSecrets(nested), written) ? [`${kind}: ${nested}`] : [];
  });
  expect(leaks).toEqual([]);
});

/** A part of a secret long enough to be of use is one as well. */
function leftOver(redacted: string, secret: string): boolean {
  const lines = secret.split("\n").filter((line) => line.length >= 8);
  return lines.some((line) => redacted.includes(line.slice(0, 16)) || redacted.includes(line.slice(-16)));
}

test.each([
  "const token = await readToken();",
  "password: string;",
  'apiKey: "your-api-key-here-1234",',
  "export ANTHROPIC_API_KEY=sk-ant-...",
  "PASSWORD=$1",
  'TOKEN="$GITHUB_TOKEN"',
  "api_key = os.environ['API_KEY']",
  "secret: config.get('app.secret.v1')",
  "https://example.org/a:b@c",
  "postgres://user:password@localhost/db",
  "postgres://user:$PASSWORD@localhost/db",
  "sha512-tokenized/AAAAbbbbCCCC==",
  "commit 4f1d3a8c0b9e7d6c5b4a39281706f5e4d3c2b1a0",
  "-----BEGIN PRIVATE KEY----- stands at the beginning of such a file",
  "task-12345678901234567890123456789012",
  "integrity: sha512-9Kd8fJq2mZ7xP0vL3nB6cT1yR5wE4uQ8aS2dF7gH0jK1lM3nB5vC6xZ9qW2eR4tY==",
  "[redacted:github-token:1]",
  "token: [redacted:unquoted-secret:2]",
])("is no secret: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test("a placeholder names the kind and numbers the secret; the same secret gets the same one", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const other = `ghp_${"c3D4".repeat(9)}`;
  const redactor = createRedactor();
  expect(redactor.redactText(`${token} and ${other}, ${token} again`)).toBe(
    "[redacted:github-token:1] and [redacted:github-token:2], [redacted:github-token:1] again",
  );
  expect(redactor.secrets).toEqual([
    { kind: "github-token", placeholder: "[redacted:github-token:1]", value: token },
    { kind: "github-token", placeholder: "[redacted:github-token:2]", value: other },
  ]);
});

test("what a cut left of a secret that was met before is known by its beginning or its end", () => {
  const lines = Array.from({ length: 12 }, (_, index) =>
    `${index}aB3dE5gH7jK9mN1pQ3sT5`.repeat(3).slice(0, 64),
  );
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
  const token = `ghp_${"a1B2".repeat(9)}`;
  const tail = `${key.slice(-200)}then ${token.slice(12)}`;
  const head = `${token.slice(0, 24)} and ${JSON.stringify(`x\n${lines[3]}`)}`;
  // Nothing tells what it is as long as the whole was not met.
  expect(redactSecrets(tail)).toBe(tail);
  const redactor = createRedactor();
  redactor.redactText(`${key} ${token}`);
  expect(redactor.redactText(tail)).toMatch(
    /^\[redacted:private-key:3\]\n\[redacted:private-key:4\]\n\[redacted:private-key:5\]\n-----END PRIVATE KEY-----\nthen \[redacted:github-token:6\]$/,
  );
  expect(redactor.redactText(head)).toBe('[redacted:github-token:7] and "x\\n[redacted:private-key:8]"');
  expect(redactor.redactText("lines of other-things-that-are-as-long")).toBe(
    "lines of other-things-that-are-as-long",
  );
});

test("secrets that begin or end alike are each known by what a cut left of them, also where a shorter cut came first", () => {
  const header = `eyJ${"hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"}`;
  const jwt = (part: string) => `${header}.eyJ${part.repeat(4)}.${part.repeat(2)}${"sAmeEnd0f".repeat(3)}`;
  const tokens = ["a1B2c3D4e5F6", "g7H8i9J0k1L2", "m3N4o5P6q7R8"].map(jwt);
  const redactor = createRedactor();
  // A shorter cut of the first that still has the form of a whole.
  redactor.redactText(tokens[0]?.slice(0, -8) ?? "");
  redactor.redactText(tokens.join(" "));
  for (const token of tokens) {
    for (const cut of [token.slice(0, 60), token.slice(-60), token.slice(10)]) {
      expect(redactor.redactText(`${cut} …`)).toMatch(/^\[redacted:jwt:\d+\] …$/);
    }
  }
});

test("a value of an object goes under its name; images, numbers and null stay", () => {
  const value = {
    password: "kT8vQ2mZx94Lw",
    nested: [{ image: { type: "image", data: "AKIA" } }],
    n: 1,
    x: null,
  };
  expect(createRedactor().redactValue(value)).toEqual({
    ...value,
    password: "[redacted:secret-field:1]",
  });
});

test("redacting twice is redacting once, whatever stands around a secret", () => {
  const secret = fc.constantFrom(...seededSecrets(200, 5).map(({ text }) => text));
  fc.assert(
    fc.property(fc.array(fc.oneof(secret, fc.string())), (parts) => {
      const once = redactSecrets(parts.join(" "));
      expect(redactSecrets(once)).toBe(once);
    }),
  );
});

test("PF-06: the time for one text grows with its length, not with its square", () => {
  const adversarial = [
    ...[
      "eyJa-",
      "sk.eyJ",
      "MAAAAAAAAAAAAAAAAAAAAAAAA.",
      "SG.",
      "sl.",
      "pat",
      "{",
      'password:"',
      "PASSWORD=",
      "API_",
    ],
    ...[
      "password=",
      "password: ",
      "://a:",
      "-----BEGIN PRIVATE KEY-----",
      "eyJ",
      "token \t",
      "machine a login b ",
    ],
    ...["sk-", "pwd=;", "curl -u a:", "Bearer ", "A", " ", "a.", "fw_", "\\n"],
  ];
  const times: { readonly piece: string; readonly ms: number }[] = [];
  for (const piece of adversarial) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const startMs = performance.now();
    findSecrets(text);
    times.push({ piece, ms: performance.now() - startMs });
  }
  // A quadratic pattern takes minutes here; the bound is far above what a busy machine needs.
  expect(times.filter(({ ms }) => ms > 20_000)).toEqual([]);
}, 300_000);

test("every kind has an id of its own, a source, and hints in lower case", () => {
  expect(new Set(SECRET_KINDS.map(({ id }) => id)).size).toBe(SECRET_KINDS.length);
  expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(30);
  for (const { source, hints, pattern } of SECRET_KINDS) {
    expect(source).toMatch(/\w/);
    expect(hints).toEqual(hints.map((hint) => hint.toLowerCase()));
    expect(pattern.flags).toContain("g");
  }
});
