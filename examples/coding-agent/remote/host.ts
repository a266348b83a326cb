import { createLocalEnvironment } from "@coppice/coding-agent";
import type { RemoteCall, RemoteReply } from "./remote-call.ts";

// Runs where the files are, and does what it is asked over the channel to its parent.
const { files, shell } = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
const running = new Map<number, AbortController>();

function answer(reply: RemoteReply): void {
  process.send?.(reply);
}

async function perform(call: RemoteCall): Promise<unknown> {
  if (call.port === "files") {
    const method: (...args: never[]) => Promise<unknown> = files[call.method];
    return method(...(call.args as never[]));
  }
  const controller = new AbortController();
  running.set(call.id, controller);
  const { command, cwd, timeoutMs } = call;
  return shell
    .run(command, {
      ...{ cwd, signal: controller.signal },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onOutput: (output) => answer({ id: call.id, output }),
    })
    .finally(() => running.delete(call.id));
}

process.on("message", (call: RemoteCall | { readonly abort: number }) => {
  if ("abort" in call) return running.get(call.abort)?.abort();
  return perform(call).then(
    (value) => answer({ id: call.id, value }),
    (error: NodeJS.ErrnoException) =>
      answer({ id: call.id, error: { message: error.message, code: error.code } }),
  );
});
