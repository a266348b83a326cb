import { CodingAgentError, messageOf } from "../errors.ts";
import { isHttpUrl } from "./http-url.ts";

/** Of names that are known, the one that was most likely meant. */
export type GuessName = (written: string, known: readonly string[]) => string | undefined;

const TOKENS = "a whole number of tokens above 0";

/**
 * A value inside a configuration file that knows where it stands, so that every complaint names file and place.
 *
 * All readers throw `invalid_setting`; those of optional values give undefined for a missing one.
 */
export class ConfigPlace {
  readonly #value: unknown;
  readonly #file: string;
  readonly #at: string;

  constructor(value: unknown, file: string, at = "") {
    this.#value = value;
    this.#file = file;
    this.#at = at;
  }

  /** The root of a file's text; a byte order mark is skipped. */
  static parse(text: string, file: string): ConfigPlace {
    try {
      return new ConfigPlace(JSON.parse(text.replace(/^\uFEFF/, "")), file);
    } catch (error) {
      throw new CodingAgentError({
        code: "invalid_setting",
        message: `${file} is not JSON: ${messageOf(error)}`,
        cause: error,
      });
    }
  }

  get isMissing(): boolean {
    return this.#value === undefined;
  }

  field(name: string): ConfigPlace {
    const fields = this.#fields();
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return new ConfigPlace(value, this.#file, this.#at === "" ? name : `${this.#at}.${name}`);
  }

  /** Names and values of an object, in the order of the file; none for a missing one. */
  entries(): readonly (readonly [string, ConfigPlace])[] {
    return Object.keys(this.#fields()).map((name) => [name, this.field(name)] as const);
  }

  /** One sentence for each field whose name is none of `known`; it has no effect, and is most often misspelt. */
  unknownFields(known: readonly string[], guessName?: GuessName): readonly string[] {
    return Object.keys(this.#fields())
      .filter((name) => !known.includes(name))
      .map((name) => {
        const guess = guessName?.(name, known);
        const hint = guess === undefined ? `known are ${known.join(", ")}` : `did you mean "${guess}"?`;
        const at = this.#at === "" ? name : `${this.#at}.${name}`;
        return `${this.#file}: ${at} is not known and has no effect; ${hint}`;
      });
  }

  /** The items of a list; none for a missing one. */
  items(): readonly ConfigPlace[] {
    if (this.isMissing) return [];
    if (!Array.isArray(this.#value)) throw this.#wrong("a list");
    return this.#value.map((item, index) => new ConfigPlace(item, this.#file, `${this.#at}[${index}]`));
  }

  requiredText(): string {
    return this.text() ?? this.#fail("a text");
  }

  text(): string | undefined {
    if (this.isMissing) return undefined;
    if (typeof this.#value !== "string" || this.#value === "") throw this.#wrong("a text");
    return this.#value;
  }

  /** A text, or null, which is a value of its own. */
  textOrNull(): string | null {
    return this.#value === null ? null : this.requiredText();
  }

  texts(): Readonly<Record<string, string>> | undefined {
    if (this.isMissing) return undefined;
    return Object.fromEntries(this.entries().map(([name, place]) => [name, place.requiredText()]));
  }

  oneOf<Choice extends string>(choices: readonly Choice[]): Choice {
    return choices.find((choice) => choice === this.#value) ?? this.#fail(`one of ${choices.join(", ")}`);
  }

  requiredUrl(): string {
    return this.url() ?? this.#fail("an http or https address");
  }

  url(): string | undefined {
    const text = this.text();
    if (text !== undefined && !isHttpUrl(text)) throw this.#wrong("an http or https address");
    return text;
  }

  flag(): boolean | undefined {
    if (this.isMissing || typeof this.#value === "boolean") return this.#value as boolean | undefined;
    throw this.#wrong("true or false");
  }

  /** A count of tokens above 0. */
  tokens(): number | undefined {
    return this.#positive(TOKENS);
  }

  /** A whole number above 0. */
  count(): number | undefined {
    return this.#positive("a whole number above 0");
  }

  requiredTokens(): number {
    return this.tokens() ?? this.#fail(TOKENS);
  }

  /** USD per million tokens. */
  price(): number | undefined {
    if (this.isMissing) return undefined;
    if (typeof this.#value !== "number" || this.#value < 0) throw this.#wrong("a price of 0 or more");
    return this.#value;
  }

  /** An object taken over as it is. */
  record(): Readonly<Record<string, unknown>> | undefined {
    return this.isMissing ? undefined : this.#fields();
  }

  #positive(expected: string): number | undefined {
    if (this.isMissing) return undefined;
    const value = Number(this.#value);
    if (!Number.isSafeInteger(this.#value) || value <= 0) throw this.#wrong(expected);
    return value;
  }

  #fields(): Readonly<Record<string, unknown>> {
    if (this.#value === undefined) return {};
    if (typeof this.#value !== "object" || this.#value === null || Array.isArray(this.#value)) {
      throw this.#wrong("an object");
    }
    return this.#value as Readonly<Record<string, unknown>>;
  }

  #fail(expected: string): never {
    throw this.#wrong(expected);
  }

  #wrong(expected: string): CodingAgentError {
    const where = this.#at === "" ? "the file" : this.#at;
    const found = this.#value === undefined ? "missing" : JSON.stringify(this.#value);
    return new CodingAgentError({
      code: "invalid_setting",
      message: `${this.#file}: ${where} must be ${expected}, but is ${found}`,
    });
  }
}
