import { CodingAgentError } from "../errors.ts";

/** The value of an environment variable; undefined or empty = not set. */
export type Variable = (name: string) => string | undefined;

/** A text with each `$NAME` and `${NAME}` replaced, once; `$$` is a dollar sign. Throws `invalid_setting` for one not set. */
export function expandVariables(text: string, variable: Variable): string {
  return text.replaceAll(
    /\$(?:(\$)|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_, dollar: string | undefined, braced: string | undefined, bare: string | undefined) => {
      if (dollar !== undefined) return "$";
      const name = braced ?? bare ?? "";
      const value = variable(name);
      if (value) return value;
      throw new CodingAgentError({
        code: "invalid_setting",
        message: `The variable ${name} is not set.`,
      });
    },
  );
}
