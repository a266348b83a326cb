import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { logIn } from "./log-in.ts";

/** An authorisation server that says yes to every code; what is asked of a device it leaves open. */
async function server() {
  const http = createServer((request, response) => {
    const isDevice = request.url?.startsWith("/device") === true;
    const device = {
      device_code: "d",
      user_code: "AB-CD",
      verification_uri: "https://a.test/go",
      interval: 60,
    };
    const tokens = { access_token: "a", refresh_token: "r", expires_in: 60 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isDevice ? device : tokens));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    browser: { clientId: "c", tokenUrl: `${origin}/token`, authorizationUrl: `${origin}/authorize` },
    device: { clientId: "c", tokenUrl: `${origin}/token`, deviceUrl: `${origin}/device` },
  };
}

type Asked = { readonly title: readonly string[]; readonly signal: AbortSignal | undefined };

/** A person at the screen: what is asked is noted, and answered. */
function personWho(answer: (asked: Asked) => Promise<string | undefined>) {
  const asked: Asked[] = [];
  const ask = ({ title }: { readonly title: readonly string[] }, signal?: AbortSignal) => {
    asked.push({ title, signal });
    return answer({ title, signal });
  };
  return { asked, layout: { pick: ask, input: ask } };
}

const untilClosed = ({ signal }: Asked) =>
  new Promise<undefined>((resolve) => signal?.addEventListener("abort", () => resolve(undefined)));

test("AU-06: the browser's answer closes the question; what is pasted counts as well", async () => {
  const { browser } = await server();
  const waiting = personWho((asked) => {
    const back = new URL(new URL(asked.title[1]?.trim() ?? "").searchParams.get("redirect_uri") ?? "");
    const state = new URL(asked.title[1]?.trim() ?? "").searchParams.get("state") ?? "";
    void fetch(`${back.href}?code=x&state=${state}`);
    return untilClosed(asked);
  });
  const credential = { type: "oauth", access: "a", refresh: "r", expiresAtMs: expect.any(Number) };
  expect(await logIn({ layout: waiting.layout, provider: "p", server: browser })).toEqual(credential);
  expect(waiting.asked.map(({ signal }) => signal?.aborted)).toEqual([true]);
  const pasting = personWho(async () => "the-code");
  expect(await logIn({ layout: pasting.layout, provider: "p", server: browser })).toEqual(credential);
});

test("AU-06: Esc gives a login up, in the browser and by a device, whose code is shown", async () => {
  const servers = await server();
  for (const one of [servers.browser, servers.device]) {
    const leaving = personWho(async () => undefined);
    expect(await logIn({ layout: leaving.layout, provider: "p", server: one })).toBeUndefined();
    expect(leaving.asked).toHaveLength(1);
    if (one === servers.device)
      expect(leaving.asked[0]?.title.join("\n")).toContain("type this code there: AB-CD");
  }
});
