// Straight from their files: four of these start at once, and the whole package would take its time.
import { AuthStore } from "../src/auth/auth-store.ts";
import { createKeyResolver } from "../src/auth/key-resolver.ts";
import { createTokenFlow } from "../src/auth/token-flow.ts";
import { createLocalConfigFiles } from "../src/config/local-config-files.ts";

// A process that asks for a token, and ends on SIGTERM as a program should: once no renewal is under way.
const [path = "", tokenUrl = ""] = process.argv.slice(2);
const store = new AuthStore({ files: createLocalConfigFiles(), path });
const flow = createTokenFlow({ provider: "p", tokenUrl, clientId: "c", fetch, now: Date.now });
const resolve = createKeyResolver({
  ...{ store, flows: { p: flow }, now: Date.now },
  secrets: { variable: () => undefined, command: async () => "" },
});
// Not `once`: the lock library ends the process itself when it thinks that nobody else listens.
process.on("SIGTERM", () => void store.settled().then(() => process.exit(143)));
console.log((await resolve("p"))?.key);
