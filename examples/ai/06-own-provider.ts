import { createClient, textOf } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";
// The provider: a function of a request that yields events.
import { echo } from "../extensions/ai/echo-provider/echo.ts";

const client = createClient({ providers: { echo } });
const model = { ...scriptedModel(), api: "echo" };
const answer = await client.complete({
  model,
  messages: [{ role: "user", content: "A wood.", timestamp: 1 }],
});
console.log(textOf(answer.content));

// A provider that throws is no reason to crash: the stream ends in an error.
const failed = await client.complete({ model, messages: [] });
console.log(failed.stopReason, failed.errorMessage);
