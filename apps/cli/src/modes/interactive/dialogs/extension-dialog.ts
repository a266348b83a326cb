import type { DialogAnswer, DialogRequest } from "@coppice/coding-agent";
import { inertLine } from "../../../render/terminal-text.ts";
import type { Layout } from "../layout.ts";
import type { Paint } from "../theme.ts";

const MAX_CHARACTERS = 500;
const YES = "yes";
/** More options than stand on the screen at once are narrowed down by letters. */
const MOST_IN_SIGHT = 12;

/** Shows what an extension asks, in its name; its texts cannot drive the terminal. */
export async function extensionDialog(
  layout: Pick<Layout, "pick" | "input">,
  {
    request,
    paint,
    signal,
  }: { readonly request: DialogRequest; readonly paint: Paint; readonly signal: AbortSignal },
): Promise<DialogAnswer> {
  const owner = paint("dim", `(${inertLine(request.owner, 60)})`);
  const head = `${paint("accent", "?")} ${inertLine(request.title, MAX_CHARACTERS)} ${owner}`;
  switch (request.kind) {
    case "confirm": {
      const message =
        request.message === undefined ? [] : [`  ${inertLine(request.message, MAX_CHARACTERS)}`];
      const choices = [
        { value: YES, label: "Yes" },
        { value: "no", label: "No" },
      ];
      const answer = await layout.pick({ title: [head, ...message, ""], choices, sudden: "keys" }, signal);
      return answer === undefined ? undefined : answer === YES;
    }
    case "select": {
      // Two options may read alike: the place tells them apart.
      const choices = request.options.map((label, index) => ({ value: String(index), label }));
      const sudden = choices.length > MOST_IN_SIGHT ? "text" : "keys";
      const answer = await layout.pick({ title: [head, ""], choices, sudden }, signal);
      return answer === undefined ? undefined : request.options[Number(answer)];
    }
    case "input": {
      const hint =
        request.placeholder === undefined
          ? []
          : [paint("dim", `  ${inertLine(request.placeholder, MAX_CHARACTERS)}`)];
      return layout.input({ title: [head, ...hint], sudden: "text" }, signal);
    }
  }
}
