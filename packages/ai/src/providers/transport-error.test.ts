import { expect, test } from "vitest";
import { transportError } from "./transport-error.ts";

const failed = (message: string, code?: string) =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error(message), code === undefined ? {} : { code }),
  });

test.each([
  { name: "a port that fetch refuses", error: failed("bad port"), code: "bad_request", retryable: false },
  {
    name: "a scheme that fetch refuses",
    error: failed("unknown scheme"),
    code: "bad_request",
    retryable: false,
  },
  {
    name: "a certificate that is not trusted",
    error: failed("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    code: "network",
    retryable: false,
  },
  {
    name: "AI-36: a name that does not resolve",
    error: failed("getaddrinfo ENOTFOUND h", "ENOTFOUND"),
    code: "network",
    retryable: true,
  },
  {
    name: "AI-36: a reset",
    error: failed("read ECONNRESET", "ECONNRESET"),
    code: "network",
    retryable: true,
  },
  {
    name: "AI-36: a closed connection",
    error: new Error("Connection closed."),
    code: "network",
    retryable: true,
  },
  {
    name: "AI-36: HTTP/2",
    error: failed("stream reset", "ERR_HTTP2_STREAM_ERROR"),
    code: "network",
    retryable: true,
  },
])("$name is $code, retryable: $retryable", ({ error, code, retryable }) => {
  expect(transportError(error, "http://h:1/v1/x")).toMatchObject({ code, retryable });
});

test("AI-35: the message names the host and the innermost cause, not the wrapping", () => {
  const inner = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  const error = new TypeError("fetch failed", { cause: new AggregateError([inner], "") });
  expect(transportError(error, "http://h:1/v1/x").message).toBe(
    "Could not talk to h:1: connect failed (ECONNREFUSED)",
  );
});
