import type { AuthStore } from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { knownModelsOf } from "../compose.ts";
import { keyVariablesOf } from "../env.ts";
import { loginAtTerminal } from "../login-at-terminal.ts";
import { authStore, loginServer, requireProvider } from "../login-providers.ts";
import { jsonLine } from "../render/json-line.ts";
import { tableLines } from "../render/table.ts";
import { inertLine } from "../render/terminal-text.ts";
import { readSecret } from "../secret-input.ts";
import { type CommandVerb, runVerb, type VerbCommand, verbLines } from "./command-verb.ts";

const VERBS: Readonly<Record<string, CommandVerb>> = {
  list: { syntax: "list", help: "providers with a key, and where it comes from", words: [0, 0], run: list },
  login: {
    syntax: "login <provider> [browser|device]",
    help: "sign in with a provider that models.json says how to sign in with",
    words: [1, 2],
    run: (context, [provider = "", way]) => logIn(context, provider, way),
  },
  set: {
    syntax: "set <provider>",
    help: "store a key; it is asked for, or read from a pipe, and never shown",
    words: [1, 1],
    run: (context, [provider = ""]) => set(context, provider),
  },
  remove: {
    syntax: "remove <provider>",
    help: "forget the stored key",
    words: [1, 1],
    run: (context, [provider = ""]) => remove(context, provider),
  },
};

const AUTH: VerbCommand = { name: "auth", verbs: VERBS, fallback: "list" };

/** `coppice auth VERB`. */
export function runAuthCommand(context: CliContext): Promise<number> {
  return runVerb(context, AUTH);
}

/** The text of `coppice auth --help`. */
export function authHelpText(): string {
  return [
    "coppice auth: keys of providers",
    "",
    ...verbLines(AUTH),
    "",
    "A login ends at a page of the provider: in a browser here, or with a code in a browser anywhere (device).",
    "A key may also be written as $NAME, a variable of the environment, or as !command, which prints it.",
    "Stored keys go before those of models.json and of the environment; the file is readable by you alone.",
    "",
  ].join("\n");
}

async function list(context: CliContext): Promise<number> {
  const { args, environment, stdout, stderr } = context;
  const known = await knownModelsOf(context);
  const stored = new Set((await storeOf(context).list()).map(({ provider }) => provider));
  const providers = [...new Set((await known.list()).map(({ provider }) => provider)), ...stored].sort();
  const rows = [...new Set(providers)].flatMap((provider) => {
    const variable = keyVariablesOf(provider).find((name) => environment.get(name) !== undefined);
    if (stored.has(provider)) return [{ provider, from: "stored" }];
    if (known.ownProviders.includes(provider)) return [{ provider, from: "models.json" }];
    return variable === undefined ? [] : [{ provider, from: `$${variable}` }];
  });
  if (args.flags.mode === "json") {
    for (const row of rows) await stdout.write(jsonLine(row));
    return 0;
  }
  if (rows.length === 0) await stderr.write("There is no key. `coppice auth set PROVIDER` stores one.\n");
  for (const line of tableLines(rows.map(({ provider, from }) => [inertLine(provider, 60), from]))) {
    await stdout.write(`${line}\n`);
  }
  return 0;
}

async function logIn(context: CliContext, provider: string, way: string | undefined): Promise<number> {
  const chosen = loginServer(await knownModelsOf(context), provider, way);
  const credential = await loginAtTerminal(context, { provider, ...chosen });
  await storeOf(context).set(provider, credential);
  await context.stderr.write(
    `You are logged in to ${provider}; the login is stored in ${context.places.authFile}.\n`,
  );
  return 0;
}

async function set(context: CliContext, provider: string): Promise<number> {
  await requireProvider(await knownModelsOf(context), provider);
  const key = await readSecret(context, `Key of ${provider}: `);
  await storeOf(context).set(provider, { type: "api_key", key });
  await context.stderr.write(`The key of ${provider} is stored in ${context.places.authFile}.\n`);
  return 0;
}

async function remove(context: CliContext, provider: string): Promise<number> {
  const store = storeOf(context);
  if ((await store.get(provider)) === undefined) {
    throw new CliError("usage", `No key of "${provider}" is stored`, {
      advice: "`coppice auth list` shows those that are.",
    });
  }
  await store.remove(provider);
  await context.stderr.write(`The key of ${inertLine(provider, 60)} is forgotten.\n`);
  return 0;
}

function storeOf({ places }: CliContext): AuthStore {
  return authStore(places.authFile);
}
