import { type LoginStep, login, type OAuthCredential, type OAuthServer } from "@coppice/coding-agent";
import { loginLines } from "../../render/login-lines.ts";
import type { Layout } from "./layout.ts";

export interface LogInOptions {
  readonly layout: Pick<Layout, "pick" | "input">;
  readonly provider: string;
  readonly server: OAuthServer;
}

/** Signs a person in with a provider; undefined when they gave up. Throws `login_failed`, `invalid_key`. */
export async function logIn({
  layout,
  provider,
  server,
}: LogInOptions): Promise<OAuthCredential | undefined> {
  const givenUp = new AbortController();
  const over = new AbortController();
  let title: readonly string[] = [];
  const show = (step: LoginStep) => {
    title = loginLines(step, { canPaste: true });
    if (step.way === "browser") return;
    const choices = [{ value: "leave", label: "Give up" }];
    void layout.pick({ title, choices }, over.signal).then(() => givenUp.abort());
  };
  const paste = async (signal: AbortSignal): Promise<string> => {
    const text = await layout.input({ title }, signal);
    // The question is also closed by the answer of the browser.
    if (text === undefined && !signal.aborted) givenUp.abort();
    givenUp.signal.throwIfAborted();
    return text ?? "";
  };
  try {
    return await login({
      ...{ provider, server, show, paste, fetch, now: Date.now },
      signal: givenUp.signal,
    });
  } catch (error) {
    if (givenUp.signal.aborted) return undefined;
    throw error;
  } finally {
    over.abort();
  }
}
