import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OAuthServer } from "@coppice/coding-agent";
import { onTestFinished } from "vitest";

/** What a person in the browser does, and how the server takes the questions of a device. */
export interface AuthorizationScript {
  /** Fields of the answer that the browser brings back; default: a code. */
  readonly answer?: Readonly<Record<string, string>>;
  /** Answers to a device, in order: a word for an error, `ok` for the tokens, or a status. */
  readonly polls?: readonly (string | number)[];
  /** Of the answer that begins a device login. */
  readonly device?: Readonly<Record<string, unknown>>;
  /** Of the answer to a code. */
  readonly token?: { readonly status: number; readonly fields: Readonly<Record<string, unknown>> };
}

const TOKENS = { access_token: "canary-access", refresh_token: "canary-refresh", expires_in: 3600 };

/** An OAuth 2.0 authorisation server on loopback that checks what it is asked; ends with the test. */
export async function createAuthorizationServer(script: AuthorizationScript = {}) {
  const polls = [...(script.polls ?? [])];
  const tokenRequests: URLSearchParams[] = [];
  let challenge = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url ?? "/", "http://localhost");
    const fields = new URLSearchParams(body);
    if (url.pathname === "/authorize") {
      challenge = url.searchParams.get("code_challenge") ?? "";
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      const state = url.searchParams.get("state") ?? "";
      const answer = script.answer ?? { code: "canary-code" };
      for (const [name, value] of Object.entries({ state, ...answer })) back.searchParams.set(name, value);
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/device") {
      const begun = { device_code: "canary-device", user_code: "ABCD-EFGH", interval: 5, expires_in: 60 };
      return json(response, 200, { ...begun, verification_uri: `${origin}/activate`, ...script.device });
    }
    tokenRequests.push(fields);
    if (fields.get("grant_type") === "authorization_code") {
      const proof = createHash("sha256")
        .update(fields.get("code_verifier") ?? "")
        .digest("base64url");
      if (proof !== challenge) return json(response, 400, { error: "invalid_grant" });
      const { status, fields: answer } = script.token ?? { status: 200, fields: TOKENS };
      return json(response, status, answer);
    }
    const next = polls.shift() ?? "ok";
    if (typeof next === "number") return response.writeHead(next).end();
    return next === "ok" ? json(response, 200, TOKENS) : json(response, 400, { error: next });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oauth: OAuthServer = {
    ...{ clientId: "c", tokenUrl: `${origin}/token`, scope: "chat" },
    ...{ authorizationUrl: `${origin}/authorize`, deviceUrl: `${origin}/device` },
  };
  return { origin, oauth, tokenRequests };
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
