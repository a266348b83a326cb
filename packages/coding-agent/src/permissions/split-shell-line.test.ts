import fc from "fast-check";
import { expect, test } from "vitest";
import { splitShellLine } from "./split-shell-line.ts";

const names = (text: string) => {
  const { commands, isUnderstood } = splitShellLine(text);
  return isUnderstood ? commands.map(({ words }) => words.join(" ")) : undefined;
};

test.each([
  ["git status", ["git status"]],
  ["git status && rm -rf x", ["git status", "rm -rf x"]],
  ["a; b | c || d & e\nf", ["a", "b", "c", "d", "e", "f"]],
  ["echo 'a && b' \"c; d\" e\\;f", ["echo a && b c; d e;f"]],
  ["echo $(rm x) `rm y`", ["rm x", "rm y", "echo $() $()"]],
  ['echo "$(rm "z w")"', ["rm z w", "echo $()"]],
  ["(cd a && rm b)", ["cd a", "rm b"]],
  ["if test -f a; then rm a; fi", ["test -f a", "rm a"]],
  ["diff <(ls a) <(ls b)", ["ls a", "ls b", "diff <() <()"]],
  ["r\\\nm x # rm y", ["rm x"]],
  ["cat <<EOF\n$(rm x)\nEOF", undefined],
  ["cat <<'EOF' && ls\n$(rm x); it's\nEOF\nrm y", ["cat", "ls", "rm y"]],
  ["cat <<-EOF\n\tplain\n\tEOF\nrm y", ["cat", "rm y"]],
  ["{rm,-rf,x}", undefined],
  ["./*.sh", undefined],
  ["echo $((1 + 1))", undefined],
  ["echo \u0024{x:-$(rm y)}", undefined],
  ["f() { rm x; }; f", undefined],
  ["for f in $(ls); do rm $f; done", ["ls", "rm $f"]],
  ["for ((i=0; i<2; i++)); do rm x; done", undefined],
  ["$'\\x72m' x", undefined],
  ["echo 'open", undefined],
  ["echo $(open", undefined],
  ["echo )", undefined],
])("%j → %j", (text, expected) => {
  expect(names(text)).toEqual(expected);
});

test.each([
  ["ls > out", ["out"]],
  ["ls >> out 2>&1", ["out"]],
  ["ls 2>/dev/null &> all", ["/dev/null", "all"]],
  ["sort < in >| out", ["out"]],
  ['> "a b"', ["a b"]],
])("the files that %j writes", (text, expected) => {
  expect(splitShellLine(text).commands.flatMap(({ writes }) => writes)).toEqual(expected);
});

test("a command behind any separator is never lost on a line that is understood", () => {
  const word = fc.stringMatching(/^[a-z0-9./-]{1,6}$/);
  const piece = fc.oneof(
    word,
    word.map((text) => `'${text} && x'`),
    word.map((text) => `"${text}; x"`),
    fc.constantFrom("$(ls)", "`pwd`", "\\;", "$HOME"),
  );
  const command = fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .map((pieces) => ["run", ...pieces].join(" "));
  const separator = fc.constantFrom(" && ", " || ", "; ", " | ", "\n", " & ", ";");
  fc.assert(
    fc.property(command, separator, (first, between) => {
      const { commands, isUnderstood } = splitShellLine(`${first}${between}rm -rf x`);
      expect(!isUnderstood || commands.some(({ words }) => words.join(" ") === "rm -rf x")).toBe(true);
    }),
  );
});
