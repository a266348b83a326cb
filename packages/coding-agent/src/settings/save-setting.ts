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
  // A value that cannot be used is refused before the file is looked at.
  await requireUsable(edit);
  await changeSetting(files, path, async () => edit);
}

/** `saveSetting` with a value that depends on what the file says while nobody else writes it. */
export async function changeSetting(
  files: Pick<ConfigFiles, "update">,
  path: string,
  editOf: (text: string) => Promise<JsoncEdit>,
): Promise<void> {
  await files.update(path, async (text = "") => {
    try {
      const edit = await editOf(text);
      await requireUsable(edit);
      return await editJsonc(text, edit);
    } catch (error) {
      if (error instanceof CodingAgentError) throw error;
      throw new CodingAgentError({
        code: "invalid_setting",
        message: `${path} is no JSON and was not changed: ${messageOf(error)}.`,
        cause: error,
        data: { path },
      });
    }
  });
}

async function requireUsable({ path, value }: JsoncEdit): Promise<void> {
  if (value === undefined) return;
  const wanted = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const [problem] = (await checkSettings(wanted, "the new value")).diagnostics;
  if (problem !== undefined) throw new CodingAgentError({ code: "invalid_setting", message: problem });
}
