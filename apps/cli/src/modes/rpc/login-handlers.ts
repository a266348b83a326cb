import { CodingAgentError, type LoginStep, login, type OAuthCredential } from "@coppice/coding-agent";
import { CliError } from "../../cli-error.ts";
import { authStore, loginProviders, loginServer, requireProvider } from "../../login-providers.ts";
import { loginLines } from "../../render/login-lines.ts";
import type { RpcHandlers, RpcHost } from "./handler.ts";
import type { RpcParams } from "./protocol.ts";

/** What the commands about keys and logins do. */
export const LOGIN_HANDLERS = {
  get_logins: async ({ seat: { known, context } }) => ({
    logins: await loginProviders(known, context.places.authFile),
  }),
  async login(host, { provider, key, way }) {
    const { known, context } = host.seat;
    if (key !== undefined && way !== undefined) {
      throw new CliError("usage", 'login takes either "key" or "way"', { advice: "Give one of them." });
    }
    if (key?.trim() === "") throw new CliError("usage", "The key is empty", { advice: "Give the key." });
    if (key !== undefined) await requireProvider(known, provider);
    const credential =
      key === undefined
        ? await logIn(host, { provider, ...(way === undefined ? {} : { way }) })
        : ({ type: "api_key", key: key.trim() } as const);
    await authStore(context.places.authFile).set(provider, credential);
    return {};
  },
} as const satisfies Partial<RpcHandlers>;

/** As the owner of a dialog: this program itself. */
const OWNER = "coppice";

/**
 * Tells the client's user what to do, and waits until it is done. A client that answers questions is asked for the address
 * that a browser elsewhere ended at, or offered to give up; dismissed, or gone, it gives up.
 */
async function logIn(
  { seat, signal, emit }: RpcHost,
  { provider, way }: Omit<RpcParams<"login">, "key">,
): Promise<OAuthCredential> {
  const { questions, known } = seat;
  const canAsk = questions.isAnswered;
  const [givenUp, over] = [new AbortController(), new AbortController()];
  const ended = AbortSignal.any([signal, givenUp.signal, questions.gone]);
  let title = "";
  const show = async (step: LoginStep) => {
    title = loginLines(step, { canPaste: canAsk }).join("\n");
    await emit({ type: "login_step", provider, ...step });
    if (step.way === "browser" || !canAsk) return;
    const asked = questions.dialog(
      { owner: OWNER, kind: "select", title, options: ["Give up"] },
      over.signal,
    );
    const giveUp = () => givenUp.abort();
    void asked.then(giveUp, giveUp);
  };
  const paste = async (unneeded: AbortSignal): Promise<string> => {
    const answer = await questions.dialog({ owner: OWNER, kind: "input", title }, unneeded);
    if (typeof answer === "string") return answer;
    // The browser's answer closes the question too.
    if (!unneeded.aborted) givenUp.abort();
    ended.throwIfAborted();
    return "";
  };
  try {
    return await login({
      ...{ provider, ...loginServer(known, provider, way), show, paste: canAsk ? paste : undefined },
      ...{ fetch, now: Date.now, signal: ended },
    });
  } catch (error) {
    if (!ended.aborted) throw error;
    const message = `Nobody was logged in to ${provider}: it was given up.`;
    throw new CodingAgentError({ code: "login_failed", message });
  } finally {
    over.abort();
  }
}
