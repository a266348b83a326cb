import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type LoginStep, type LoginWay, login, type OAuthServer } from "@coppice/coding-agent";
import { expect, onTestFinished, test } from "vitest";
import { createAuthorizationServer } from "./authorization-server.ts";

const LOGIN_LIMIT_MS = 15 * 60_000;
const CREDENTIAL = {
  type: "oauth",
  access: "canary-access",
  refresh: "canary-refresh",
  expiresAtMs: 3_600_000,
};

interface Attempt {
  readonly server: OAuthServer;
  readonly way?: LoginWay;
  readonly browse?: (step: LoginStep) => unknown;
  readonly paste?: (signal: AbortSignal) => Promise<string>;
  readonly signal?: AbortSignal;
  /** Whether the time that a person may take is over once they know what to do. */
  readonly isLate?: boolean;
}

/** One login on a clock that only waiting moves. */
async function attempt({
  browse,
  isLate = false,
  signal = new AbortController().signal,
  ...options
}: Attempt) {
  const waitsMs: number[] = [];
  const steps: LoginStep[] = [];
  const shown = Promise.withResolvers<void>();
  let now = 0;
  const outcome = await login({
    ...{ provider: "p", fetch, signal, ...options },
    now: () => now,
    sleep: async (ms, over) => {
      if (ms === LOGIN_LIMIT_MS) {
        const ended = new Promise((resolve) => over.addEventListener("abort", resolve));
        await (isLate ? shown.promise : ended);
        return;
      }
      waitsMs.push(ms);
      now += ms;
    },
    show: (step) => {
      steps.push(step);
      void browse?.(step);
      setImmediate(shown.resolve);
    },
  }).catch((error: unknown) => error);
  expect(JSON.stringify([outcome instanceof Error ? [outcome.message, outcome] : "", steps])).not.toMatch(
    /canary-(code|a|r|d)/,
  );
  return { outcome, steps, waitsMs, now };
}

const follow = ({ url }: LoginStep) => fetch(url).then((response) => response.text());
const failed = (reason: string) => ({
  code: "login_failed",
  message: `Nobody was logged in to p: ${reason}.`,
});

test("AU-06: a browser brings the code back to this machine, and the code is proved; nothing listens afterwards", async () => {
  const { oauth, tokenRequests } = await createAuthorizationServer();
  const { outcome, steps } = await attempt({ server: oauth, browse: follow });
  expect(outcome).toEqual(CREDENTIAL);
  const asked = new URL(steps[0]?.url ?? "");
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    ...{ response_type: "code", client_id: "c", scope: "chat", code_challenge_method: "S256" },
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  });
  expect(Object.fromEntries(tokenRequests[0] ?? [])).toMatchObject({
    ...{ grant_type: "authorization_code", client_id: "c", code: "canary-code" },
    redirect_uri: asked.searchParams.get("redirect_uri"),
  });
  const port = Number(new URL(asked.searchParams.get("redirect_uri") ?? "").port);
  const refused = connect(port, "127.0.0.1");
  expect(await once(refused, "error")).toMatchObject([{ code: "ECONNREFUSED" }]);
});

test("AU-06: the answer of another login is refused and waiting goes on; other paths hold nothing", async () => {
  const { oauth } = await createAuthorizationServer();
  const statuses: number[] = [];
  const { outcome } = await attempt({
    server: oauth,
    async browse(step) {
      const back = new URL(new URL(step.url).searchParams.get("redirect_uri") ?? "");
      for (const path of [
        "/callback?code=x&state=forged",
        "/callback?error=access_denied",
        "/",
        "/favicon.ico",
      ]) {
        const answer = await fetch(new URL(path, back));
        statuses.push(answer.status);
        expect(answer.headers.get("connection")).toBe("close");
      }
      await follow(step);
    },
  });
  expect([statuses, outcome]).toEqual([[400, 400, 404, 404], CREDENTIAL]);
});

test.each([
  { name: "a person says no", answer: { error: "access_denied" }, says: "it was denied in the browser" },
  { name: "the server refuses", answer: { error: "invalid_scope" }, says: "the server says invalid_scope" },
  { name: "a reason for no eyes", answer: { error: "\u001b[2J<x>" }, says: "the server gave no reason" },
  { name: "no code", answer: { note: "x" }, says: "the answer holds no code" },
  {
    name: "AU-09, another issuer",
    answer: { code: "x", iss: "https://evil.test" },
    says: "another server has answered",
  },
])("AU-06: a login in the browser ends when $name", async ({ answer, says }) => {
  const { oauth } = await createAuthorizationServer({ answer: answer as never });
  const { outcome } = await attempt({ server: { ...oauth, issuer: "https://a.test" }, browse: follow });
  // Only the answer of the server itself counts as one.
  expect(outcome).toMatchObject(failed("another server has answered"));
  const { iss: _, ...own } = { iss: "", ...answer };
  const trusted = await createAuthorizationServer({ answer: { iss: "https://a.test", ...own } as never });
  const direct = await attempt({ server: { ...trusted.oauth, issuer: "https://a.test" }, browse: follow });
  expect(direct.outcome).toMatchObject("iss" in answer ? CREDENTIAL : failed(says));
});

test.each([
  { token: { status: 400, fields: { error: "invalid_grant" } }, says: "the server says invalid_grant" },
  { token: { status: 500, fields: { error_description: "canary-code" } }, says: "the server gave no reason" },
  { token: { status: 200, fields: { note: "canary-code" } }, says: "the server gave no token" },
])("AU-06, AU-08: a code that cannot be exchanged: $says", async ({ token, says }) => {
  const { oauth } = await createAuthorizationServer({ token });
  expect((await attempt({ server: oauth, browse: follow })).outcome).toMatchObject(failed(says));
});

test("AU-06: cancelled, or not in time, a login ends at once, and so does what waits for a person", async () => {
  const { oauth } = await createAuthorizationServer();
  for (const way of ["browser", "device"] as const) {
    const controller = new AbortController();
    const reason = new Error("changed my mind");
    const { outcome } = await attempt({
      ...{ server: oauth, way, signal: controller.signal },
      browse: () => controller.abort(reason),
    });
    expect(outcome).toBe(reason);
  }
  const over: unknown[] = [];
  const late = await attempt({
    ...{ server: oauth, isLate: true },
    paste: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(over.push(signal.aborted)));
      }),
  });
  expect(late.outcome).toMatchObject(failed("it took too long"));
  expect(over).toEqual([1].map(() => true));
});

test("AU-06: a port that is taken is named, or the answer is pasted", async () => {
  const other = createServer();
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const redirectUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/auth/callback`;
  const { oauth } = await createAuthorizationServer();
  const server = { ...oauth, redirectUrl };
  expect((await attempt({ server })).outcome).toMatchObject(
    failed(`another program uses the port of ${redirectUrl}; end it first`),
  );
  const address = Promise.withResolvers<string>();
  const pasted = await attempt({
    server,
    // The browser runs elsewhere: it ends at an address that it cannot open.
    browse: async ({ url }) => {
      const { headers } = await fetch(url, { redirect: "manual" });
      address.resolve(`${headers.get("location")}\n`);
    },
    paste: () => address.promise,
  });
  expect(pasted.outcome).toEqual(CREDENTIAL);
  const forged = await attempt({ server, paste: async () => `${redirectUrl}?code=x&state=forged` });
  expect(forged.outcome).toMatchObject(failed("what was pasted belongs to another login"));
});

const ISSUER = "https://a.test";
const OTHERS = "what was pasted belongs to another login";
test.each([
  { name: "a code by itself", paste: "canary-code" },
  { name: "a code that looks like an address", paste: "ac:canary-code" },
  { name: "nothing", paste: " \n", says: "the answer holds no code" },
  { name: "an address", address: { code: "x", iss: ISSUER } },
  {
    name: "an address of another server",
    address: { code: "x", iss: "https://evil.test" },
    says: "another server has answered",
  },
  { name: "an address that names no server", address: { code: "x" }, says: "another server has answered" },
  { name: "an address of another login", address: { code: "x", iss: ISSUER, state: "forged" }, says: OTHERS },
  {
    name: "an address that names no login",
    paste: `http://127.0.0.1:1/callback?code=x&iss=${ISSUER}`,
    says: OTHERS,
  },
])(
  "AU-06, AU-09: where the server names itself, what is pasted is $name",
  async ({ paste, address, says }) => {
    const { oauth, tokenRequests } = await createAuthorizationServer({ answer: address as never });
    const ended = Promise.withResolvers<string>();
    const { outcome } = await attempt({
      server: { ...oauth, issuer: ISSUER },
      browse: async ({ url }) => {
        const { headers } = await fetch(url, { redirect: "manual" });
        ended.resolve(paste ?? String(headers.get("location")));
      },
      paste: () => ended.promise,
    });
    expect(outcome).toMatchObject(says === undefined ? CREDENTIAL : failed(says));
    expect(tokenRequests.map((fields) => fields.get("code"))).toEqual(
      says === undefined ? [paste ?? "x"] : [],
    );
  },
);

test("AU-06: a device asks no sooner than it may, and more slowly when it is told to or nobody answers", async () => {
  const polls = ["authorization_pending", "slow_down", 503, "authorization_pending", "ok"];
  const { oauth, origin, tokenRequests } = await createAuthorizationServer({
    polls,
    device: { interval: 2 },
  });
  const { outcome, steps, waitsMs, now } = await attempt({ server: oauth, way: "device" });
  expect(steps).toEqual([
    { way: "device", url: `${origin}/activate`, code: "ABCD-EFGH", expiresAtMs: 60_000 },
  ]);
  expect(waitsMs).toEqual([2000, 2000, 7000, 12_000, 12_000]);
  expect(outcome).toEqual({ ...CREDENTIAL, expiresAtMs: now + 3_600_000 });
  expect(Object.fromEntries(tokenRequests[0] ?? [])).toEqual({
    ...{
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: "c",
      device_code: "canary-device",
    },
  });
});

test.each([
  { polls: ["access_denied"], device: {}, says: "it was denied in the browser" },
  { polls: ["expired_token"], device: {}, says: "the code was not typed in time" },
  {
    polls: Array<string>(99).fill("authorization_pending"),
    device: {},
    says: "the code was not typed in time",
  },
  { polls: ["invalid_client"], device: {}, says: "the server says invalid_client" },
  ...[{ verification_uri: "javascript:alert(1)" }, { user_code: "\u001b[2J" }, { device_code: 5 }].map(
    (device) => ({
      ...{ polls: [], device, says: "the server gave no code to type, or no safe address" },
    }),
  ),
])("AU-06, AU-09: a login by a device ends: $says, $device", async ({ polls, device, says }) => {
  const { oauth } = await createAuthorizationServer({ polls, device });
  const { outcome } = await attempt({ server: oauth, way: "device" });
  expect(outcome).toMatchObject(failed(says));
});

test("AU-06, AU-09: a server that is not there, a way that it does not offer and an unsafe address end at once", async () => {
  const { oauth } = await createAuthorizationServer();
  const { deviceUrl: _, ...browserOnly } = oauth;
  expect((await attempt({ server: browserOnly, way: "device" })).outcome).toMatchObject(
    failed("it offers no login by device"),
  );
  const gone = {
    clientId: "c",
    tokenUrl: "http://127.0.0.1:1/token",
    deviceUrl: "http://127.0.0.1:1/device",
  };
  expect((await attempt({ server: gone })).outcome).toMatchObject({ code: "login_failed" });
  for (const unsafe of ["http://example.com/x", "javascript:x", "ftp://example.com"]) {
    for (const part of ["tokenUrl", "authorizationUrl"] as const) {
      const { outcome } = await attempt({ server: { ...oauth, [part]: unsafe }, browse: follow });
      expect(outcome).toMatchObject({ code: "invalid_key" });
    }
  }
});
