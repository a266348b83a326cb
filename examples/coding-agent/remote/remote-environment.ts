import type { ChildProcess } from "node:child_process";
import type { Environment, FileSystem, ShellExit } from "@coppice/coding-agent";
import type { RemoteCall, RemoteFileMethod, RemoteReply } from "./remote-call.ts";

interface OpenCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onOutput?: (chunk: Uint8Array) => unknown;
}

type WithoutId<Call> = Call extends unknown ? Omit<Call, "id"> : never;

/**
 * An environment whose files and commands are on the other side of a channel.
 *
 * Two ports are all it takes: without `ripgrep` the search tools walk `files`, without `scratch` long outputs are cut.
 */
export function createRemoteEnvironment(host: ChildProcess): Environment {
  const open = new Map<number, OpenCall>();
  let lastId = 0;
  host.on("message", (reply: RemoteReply) => {
    const call = open.get(reply.id);
    if ("output" in reply) call?.onOutput?.(reply.output);
    else if ("error" in reply) call?.reject(Object.assign(new Error(reply.error.message), reply.error));
    else call?.resolve(reply.value);
    if (!("output" in reply)) open.delete(reply.id);
  });
  host.on("exit", () => {
    for (const call of open.values()) call.reject(new Error("The remote side is gone."));
  });

  const ask = (call: WithoutId<RemoteCall>, onOutput?: OpenCall["onOutput"]) => {
    const id = ++lastId;
    const answered = new Promise<unknown>((resolve, reject) => {
      open.set(id, { resolve, reject, ...(onOutput === undefined ? {} : { onOutput }) });
      host.send({ ...call, id });
    });
    return { id, answered };
  };
  const file =
    <Method extends RemoteFileMethod>(method: Method) =>
    (...args: Parameters<FileSystem[Method]>) =>
      ask({ port: "files", method, args }).answered as ReturnType<FileSystem[Method]>;

  return {
    files: {
      stat: file("stat"),
      readFile: file("readFile"),
      readRange: file("readRange"),
      writeFile: file("writeFile"),
      readDirectory: file("readDirectory"),
      realPath: file("realPath"),
    },
    shell: {
      async run(command, { cwd, signal, timeoutMs, onOutput }) {
        const { id, answered } = ask({ port: "shell", command, cwd, timeoutMs }, onOutput);
        const abort = () => host.send({ abort: id });
        signal.addEventListener("abort", abort, { once: true });
        if (signal.aborted) abort();
        return (await answered.finally(() => signal.removeEventListener("abort", abort))) as ShellExit;
      },
    },
  };
}
