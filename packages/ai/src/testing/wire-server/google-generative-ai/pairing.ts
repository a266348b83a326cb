import type { JsonObject } from "../json-shape.ts";
import { contentsOf, dataOf, roleOf } from "./parts.ts";

/** The first break of the rule that each turn with calls is followed by one turn with as many answers, by name. */
export function pairingProblem(body: JsonObject): string | undefined {
  const contents = contentsOf(body);
  for (const index of contents.keys()) {
    const problem = callTurnProblem(contents, index) ?? responseTurnProblem(contents, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function callTurnProblem(contents: readonly JsonObject[], index: number): string | undefined {
  const calls = dataOf(contents[index], "functionCall");
  if (calls.length === 0) return undefined;
  if (index === 0 || roleOf(contents[index - 1]) !== "user")
    return "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
  const responses = dataOf(contents[index + 1], "functionResponse");
  return responses.length === calls.length
    ? undefined
    : "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
}

function responseTurnProblem(contents: readonly JsonObject[], index: number): string | undefined {
  const responses = dataOf(contents[index], "functionResponse");
  if (responses.length === 0) return undefined;
  const open = [...dataOf(contents[index - 1], "functionCall")];
  if (open.length === 0)
    return "Please ensure that function response turn comes immediately after a function call turn.";
  for (const response of responses) {
    const match = open.findIndex((call) => call.name === response.name && fits(call, response));
    if (match === -1)
      return `Function response \`${response.name}\` does not match a function call of the function call turn by name and id.`;
    open.splice(match, 1);
  }
  return undefined;
}

/** Ids are optional; where both sides have one, they are the same. */
const fits = (call: JsonObject, response: JsonObject) =>
  response.id === undefined || call.id === undefined || response.id === call.id;
