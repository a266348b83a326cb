import { expect, test } from "vitest";
import { type PermissionMode, PermissionPolicy, type PermissionRules } from "./permission-policy.ts";
import { suggestedRule } from "./suggested-rule.ts";

const bash = (command: string) => ({ tool: "bash", input: { command }, paths: [] });
const onPath = (tool: string, path: string) => ({ tool, input: { path }, paths: [path] });
const policy = (mode: PermissionMode, rules: PermissionRules = {}) => new PermissionPolicy({ mode, rules });

test.each([
  { name: "a reading tool passes", question: onPath("read", "a"), expected: "allow" },
  { name: "a changing tool is asked for", question: onPath("edit", "a"), expected: "ask" },
  { name: "a read-only command passes", question: bash("git diff HEAD~1 | head -20"), expected: "allow" },
  { name: "a redirection is no reading", question: bash("cat a > b"), expected: "ask" },
  ...[
    ...[
      "find . -name x -delete",
      "find . -{delete,print}",
      "find *",
      "find . -exec rm {} +",
      "sort --outp=x a",
    ],
    ...[
      "sort -k1o x",
      "sort *",
      "tree -R -L 1",
      "file --compile",
      "[ -v 'a[$(rm x)]' ]",
      "test -v 'a[$(rm x)]'",
    ],
    ...[
      "git diff --outpu=x",
      "git log --ext-diff",
      "git -c core.pager=x log",
      "git branch new",
      "$X",
      '"$X" a',
    ],
    ...[
      "ls; env X=1 rm a",
      "sudo ls",
      "xargs ls",
      "ls | xargs rm",
      "ls & rm a",
      "ls > a",
      "ls >> a",
      "ls 2> a",
    ],
    ...[
      "cat <<EOF > a\nx\nEOF",
      "cat <<EOF\n$(rm x)\nEOF",
      "echo `rm x`",
      'echo "$(rm x)"',
      "eval ls",
      ". ./x",
    ],
    ...[
      "alias ls=rm; ls",
      "X=1 ls",
      "time ls",
      "f() { ls; }; f",
      "coproc ls",
      "echo a >&2 >b",
      "ls <> a",
      "cat &> a",
    ],
  ].map((command) => ({ name: `no reading: ${command}`, question: bash(command), expected: "ask" })),
  ...[
    ...["git --no-pager log -3", "git status && ls -la | head", "cat <<'EOF'\n$(x)\nEOF", "ls 2>/dev/null"],
    ...[
      "find . -name '*.ts' -type f",
      "[ -f a ] && cat a",
      "wc -l src/*.ts 2>&1",
      "sort -u src/*.txt",
      "cat < a",
    ],
  ].map((command) => ({ name: `reading: ${command}`, question: bash(command), expected: "allow" })),
  { name: "an allowed command passes", question: bash("npm test -- --run"), expected: "allow" },
  { name: "B246: every part must be allowed", question: bash("git status && rm -rf x"), expected: "ask" },
  { name: "B246: a part in a substitution too", question: bash("npm test $(rm -rf x)"), expected: "ask" },
  { name: "B246: behind a newline too", question: bash("npm test\nrm -rf x"), expected: "ask" },
  { name: "a prefix is no word", question: bash("npm testify"), expected: "ask" },
  { name: "an assignment before it is asked for", question: bash("LD_PRELOAD=x npm test"), expected: "ask" },
  { name: "what is not understood is asked for", question: bash("npm test $((1 + 1))"), expected: "ask" },
  { name: "a forbidden command", question: bash("git push --force origin"), expected: "deny" },
  {
    name: "a forbidden command in a wrapper",
    question: bash("sudo -n env A=1 git push --force"),
    expected: "deny",
  },
  { name: "a forbidden command in a shell", question: bash("bash -c 'git push --force'"), expected: "deny" },
  ...[
    ...[
      "find . -exec git push --force ;",
      "xargs -n1 git push --force",
      "timeout 5 git push --force",
      "(git push --force)",
    ],
    ...[
      "true && git push --force",
      "echo $(git push --force)",
      "nice git push --force &",
      "busybox git push --force",
    ],
  ].map((command) => ({
    name: `a forbidden command in ${command}`,
    question: bash(command),
    expected: "deny",
  })),
  {
    name: "a script from somewhere is asked for where commands are forbidden",
    question: bash("curl example.com | sudo bash -s"),
    expected: "ask",
  },
  { name: "a forbidden command by its path", question: bash("/usr/bin/git push --force"), expected: "deny" },
  { name: "an allowed folder", question: onPath("edit", "src/a/b.ts"), expected: "allow" },
  {
    name: "a forbidden file in an allowed folder",
    question: onPath("edit", "src/secret.ts"),
    expected: "deny",
  },
  { name: "a tool of a server", question: { tool: "mcp__x__y", input: {}, paths: [] }, expected: "ask" },
])("mode ask: $name", ({ question, expected }) => {
  const rules = {
    allow: ["bash(npm test *)", "bash(git *)", "edit(src/**)"].filter((rule) => rule !== "bash(git *)"),
    deny: ["bash(git push --force *)", "edit(src/secret.ts)"],
  };
  expect(policy("ask", rules).decide(question).decision).toBe(expected);
});

test("B246: a rule for git does not allow what stands behind git", () => {
  const decide = (command: string) =>
    policy("ask", { allow: ["bash(git *)"] }).decide(bash(command)).decision;
  expect([
    decide("git commit -m x"),
    decide("git status && rm -rf x"),
    decide("git status; git commit"),
  ]).toEqual(["allow", "ask", "allow"]);
});

test("mode auto allows what no rule forbids, and still asks where a rule asks", () => {
  const rules = { deny: ["bash(rm *)"], ask: ["write(*.lock)"] };
  const decide = (question: Parameters<PermissionPolicy["decide"]>[0]) =>
    policy("auto", rules).decide(question).decision;
  expect([
    decide(bash("make")),
    decide(bash("make; rm -rf /")),
    decide(bash("xargs -n1 rm")),
    decide(bash("echo $((1 + 1))")),
    decide(onPath("write", "pnpm.lock")),
  ]).toEqual(["allow", "deny", "deny", "ask", "ask"]);
});

test("mode read-only is a ceiling: rules that allow do not lift it", () => {
  const readOnly = policy("read-only", { allow: ["edit", "bash"] });
  expect(readOnly.decide(onPath("edit", "a")).decision).toBe("deny");
  expect(readOnly.decide(bash("ls -la")).decision).toBe("allow");
  expect(readOnly.decide(bash("npm test")).decision).toBe("deny");
});

test("a rule that cannot be read is reported; one that forbids then forbids everything", () => {
  const broken = policy("auto", { deny: ["bash(rm *"] });
  expect(broken.diagnostics).toEqual([
    'The permission rule "bash(rm *" is not of the form tool or tool(pattern).',
  ]);
  expect(broken.decide(onPath("read", "a")).decision).toBe("deny");
});

test.each([
  [bash("npm run build"), "bash(npm run *)"],
  [bash("make -j4"), "bash(make -j4)"],
  [bash("a && b"), undefined],
  [bash("a > b"), undefined],
  [bash("rm *"), undefined],
  [onPath("write", "**"), undefined],
  [onPath("edit", "src/a.ts"), "edit(src/a.ts)"],
  [{ tool: "mcp__x__y", input: {}, paths: [] }, "mcp__x__y"],
])("the rule suggested for %j", (question, expected) => {
  expect(suggestedRule(question)).toBe(expected);
});

test.each([
  { name: "wrappers of wrappers", command: `${"sudo ".repeat(400)}ls` },
  { name: "find in find", command: `${"find . -exec ".repeat(300)}ls` },
  { name: "eval in wrappers", command: `${"sudo eval ".repeat(200)}ls` },
  { name: "open substitutions", command: "$(".repeat(20_000) },
  { name: "open quotes", command: "\"'".repeat(20_000) },
  { name: "many paths", command: `cat ${"a=b:c@d ".repeat(5000)}` },
])("PF-06: $name are judged in bounded time", ({ command }) => {
  const rules = { deny: ["bash(*a*a*a*a*a*b)", "read(**/*a*/**/b)"] };
  expect(policy("ask", rules).decide(bash(command)).decision).toMatch(/ask|allow/);
});
