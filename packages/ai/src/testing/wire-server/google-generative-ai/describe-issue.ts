import type { ShapeIssue, ShapePath } from "../json-shape.ts";

/** `tools[0].function_declarations[0].name`: how the API names a place. */
export function placeOf(path: ShapePath): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === "number") return `${place}[${step}]`;
    const name = step.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return place === "" ? name : `${place}.${name}`;
  }, "");
}

/** A shape issue in the words of the Gemini API, as in public error reports of 2024–2026. */
export function describeIssue({ path, kind, expected, actual }: ShapeIssue): string {
  const place = placeOf(path);
  const rule = (text: string) => `* GenerateContentRequest.${place}: ${text}\n`;
  switch (kind) {
    case "missing":
      return place === "contents" ? rule("contents is not specified") : rule("must be specified");
    case "empty":
      return rule(place === "contents" ? "contents is not specified" : "must not be empty");
    case "unknown": {
      const parent = placeOf(path.slice(0, -1));
      const at = parent === "" ? "" : ` at '${parent}'`;
      return `Invalid JSON payload received. Unknown name "${path.at(-1)}"${at}: Cannot find field.`;
    }
    case "value":
    case "pattern":
      return describeValue(path, place, actual);
    case "too_small":
      return rule(`${path.at(-1)} must be at least ${expected}.`);
    case "type":
    case "too_long":
      return `Invalid value at '${place}' (TYPE_${expected.toUpperCase()}), ${JSON.stringify(actual)}`;
  }
}

function describeValue(path: ShapePath, place: string, actual: unknown): string {
  const key = path.at(-1);
  if (key === "role") return "Please use a valid role: user, model.";
  if (key === "thoughtSignature" || key === "data")
    return `Invalid value at '${place}' (TYPE_BYTES), Base64 decoding failed for ${JSON.stringify(actual)}`;
  if (key === "name" && path[0] === "tools")
    return `* GenerateContentRequest.${place}: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`;
  if (key === "name") return `* GenerateContentRequest.${place}: Name cannot be empty.\n`;
  return `Invalid value at '${place}', ${JSON.stringify(actual)}`;
}
