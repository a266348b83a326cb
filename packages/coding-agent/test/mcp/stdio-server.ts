import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createSampleServer } from "./sample-server.ts";

// A server as a process of its own, in the way that the first argument names; the second is a log file.
const [mode = "plain", log] = process.argv.slice(2);

if (mode === "silent") process.stdin.resume();
else if (mode === "endless") {
  process.stdin.resume();
  const send = () => void process.stdout.write("x".repeat(65_536), send);
  send();
} else if (mode === "dies") {
  process.stderr.write("\u001b[31mno \u001b]0;title\u0007licence\n");
  process.exitCode = 1;
} else {
  if (mode === "noisy") {
    process.stdout.write("Welcome to the server!\n{not json}\n[]\n");
    process.stderr.write("\u001b[2Jnoise on the screen\n".repeat(10_000));
  }
  await createSampleServer(log).connect(new StdioServerTransport());
}
