import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Lines a file may have before it fails the check; tests and test kits get more room. */
const MAX_SOURCE_LINES = 400;
const MAX_TEST_LINES = 600;

/** Files that may be longer, each with its reason. Data and generated files are not checked. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !file.includes(".generated.") && !file.includes("/fixtures/"));

const tooLong = files.flatMap((file) => {
  const lines = readFileSync(file, "utf8").split("\n").length - 1;
  const max = /\.test\.ts$|\/testing\/|^e2e\//.test(file) ? MAX_TEST_LINES : MAX_SOURCE_LINES;
  return lines > max && EXCEPTIONS[file] === undefined ? [`${file}: ${lines} lines, at most ${max}`] : [];
});

if (tooLong.length > 0) {
  console.error(
    `Files that hold more than one idea (name the state that wants to leave):\n${tooLong.join("\n")}`,
  );
  process.exitCode = 1;
}
