import type { ConfigFiles } from "../config/config-files.ts";
import { editJsonc, type JsoncEdit } from "../config/edit-jsonc.ts";
import { CodingAgentError, messageOf } from "../errors.ts";
import { checkSettings } from "./check-settings.ts";

/**
 * Changes one setting in a file and nothing else: what others wrote meanwhile, unknown keys and comments stay.
 *
 * `value` undefined takes the setting out. Throws `invalid_setting` for a value that cannot be used or a file that is no
 * JSON (it is then not touched), and the errors of `ConfigFiles`.
 */
export async function saveSetting(
  files: Pick<ConfigFiles, "update">,
  path: string,
  edit: JsoncEdit,
): Promise<void> {
  const wanted = edit.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), edit.value);
  const [problem] = edit.value === undefined ? [] : checkSettings(wanted, "the new value").diagnostics;
  if (problem !== undefined) throw new CodingAgentError({ code: "invalid_setting", message: problem });
  await files.update(path, async (text = "") => {
    try {
      return await editJsonc(text, edit);
    } catch (error) {
      throw new CodingAgentError({
        code: "invalid_setting",
        message: `${path} is no JSON and was not changed: ${messageOf(error)}.`,
        cause: error,
        data: { path },
      });
    }
  });
}
