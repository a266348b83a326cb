import { isPlaceholder, isRandomLooking } from "./random-looking.ts";
import { type SecretKind, WORD_START } from "./secret-kind.ts";

/** What stands between the lines of a key: line feeds, also as strings write them, quotes, line numbers, signs of a diff. */
const BETWEEN_LINES = String.raw`(?:\\{1,8}[nrt]|[\s"'+,>|:\d])`;
const QUOTE = String.raw`\\{0,7}["'\`]`;
/** Words of names under which secrets are kept. A bare "key" or "auth" is too common to be one. */
const PLAIN_WORDS = ["password", "passwd", "passphrase", "pwd", "secret", "token", "credential"];
/** The same in front of "key". */
const KEY_WORDS = [
  "api",
  "access",
  "private",
  "account",
  "secret",
  "auth",
  "encryption",
  "signing",
  "master",
  "license",
];
const SECRET_WORD = `(?:${[...PLAIN_WORDS, ...KEY_WORDS.map((word) => `${word}_?-?key`)].join("|")})s?`;
const SECRET_HINTS = [
  ...PLAIN_WORDS,
  ...KEY_WORDS.flatMap((word) => ["", "_", "-", "_-"].map((sign) => `${word}${sign}key`)),
];
const SEPARATOR = String.raw`${QUOTE}?\]?\s{0,8}(?:=>|:=|=|:)\s{0,8}`;

/** Secrets that are known by what stands around them, or by the structure of a standard. */
export const SECRET_SHAPES: readonly SecretKind[] = [
  {
    id: "private-key",
    hints: ["private key"],
    pattern: new RegExp(
      [
        "(?<=-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----)",
        `(?:${BETWEEN_LINES}{0,40}(?:[A-Za-z0-9+/=]{20,}|[A-Z][A-Za-z-]{2,20}: [^\\r\\n\\\\]{1,100}))+`,
        `(?:${BETWEEN_LINES}{0,40}[A-Za-z0-9+/=]{1,19}(?=${BETWEEN_LINES}{0,40}-----))?`,
      ].join(""),
      "g",
    ),
    source: "RFC 7468: textual encodings of PKIX structures; RFC 9580 for OpenPGP",
  },
  {
    id: "jwt",
    hints: ["eyj"],
    pattern: new RegExp(String.raw`${WORD_START}eyJ[\w-]{10,1500}\.eyJ[\w-]{10,8000}\.[\w-]{16,}`, "g"),
    source: "RFC 7519: JSON Web Token",
  },
  {
    id: "url-password",
    hints: ["://"],
    pattern: /(?<=[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"'`<>]{0,80}:)[^\s/@"'`<>]{3,200}(?=@[\w[.$%-])/gi,
    accepts: (value) => !isPlaceholder(value) && !/^(?:pass|password|pwd|secret|pw)$/i.test(value),
    source: "RFC 3986 3.2.1: user information; PostgreSQL 34.1.1: connection URIs",
  },
  {
    id: "connection-string-password",
    hints: ["password=", "pwd="],
    pattern:
      /(?<=(?:server|host|data source|uid|user id|user|database|endpoint)=[^\n"'`]{1,300};\s{0,4}(?:password|pwd)=)[^\s;"'`]{4,200}/gi,
    accepts: (value) => !isPlaceholder(value),
    source: "Microsoft Learn: connection string syntax",
  },
  {
    id: "shared-access-key",
    hints: ["sharedaccesskey=", "access_key="],
    pattern: /(?<=(?:SharedAccessKey|access_key)=)[A-Za-z0-9+/]{32,}={0,2}/gi,
    source: "Microsoft Learn: Event Hubs and Service Bus connection strings",
  },
  {
    id: "authorization-header",
    hints: ["bearer ", "basic ", "token "],
    pattern: new RegExp(
      `(?<=authorization${SEPARATOR}${QUOTE}?(?:bearer|basic|token) {1,4}|${WORD_START}bearer )[A-Za-z0-9._~+/=-]{16,4000}`,
      "gi",
    ),
    accepts: isRandomLooking,
    source: "RFC 6750: bearer token usage; RFC 7617: the Basic scheme",
  },
  {
    id: "command-password",
    hints: ["curl", "wget", "http"],
    pattern: new RegExp(
      String.raw`(?<=${WORD_START}(?:curl|wget|https?)\b[^\n]{0,400}\s(?:-u|--user|-a|--auth)[ =]${QUOTE}?[\w.@+-]{1,64}:)[^\s"'\\$]{4,200}`,
      "g",
    ),
    accepts: (value) => !isPlaceholder(value) && !value.startsWith("//"),
    source: "curl manual: -u, --user",
  },
  {
    id: "netrc-password",
    hints: ["machine "],
    pattern: new RegExp(
      String.raw`(?<=${WORD_START}machine\s{1,20}\S{1,200}\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20})[^\s\\"']{4,200}`,
      "g",
    ),
    accepts: (value) => !isPlaceholder(value),
    source: "GNU inetutils: the .netrc file",
  },
  {
    id: "registry-auth",
    hints: ["auth"],
    pattern: /(?<=auth\\{0,7}"\s{0,4}:\s{0,4}\\{0,7}"|_auth=\s{0,2}"?)[A-Za-z0-9+/]{12,}={0,2}/g,
    accepts: (value) => /[A-Z]/.test(value) && /[a-z]/.test(value) && !isPlaceholder(value),
    source: "Docker Docs: config.json auths; npm Docs: .npmrc auth",
  },
  {
    id: "environment-value",
    hints: ["_pass", ...SECRET_HINTS],
    pattern: new RegExp(
      String.raw`(?<=${WORD_START}[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|PWD|SECRET|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|ENCRYPTION_KEY|SIGNING_KEY|MASTER_KEY|ACCOUNT_KEY)[A-Z0-9_]{0,20}=${QUOTE}?)[^\s"'\`\\|&;,()<>{}[\]$]{6,400}`,
      "g",
    ),
    accepts: (value) =>
      !isPlaceholder(value) && !/^[a-z]+(?:[._-][a-z]+)*$|^[A-Z_]+$|^[./~]|^\d+$/.test(value),
    source: "dotenv: file format; docker run --env",
  },
  {
    id: "quoted-secret",
    hints: SECRET_HINTS,
    pattern: new RegExp(
      String.raw`(?<=${SECRET_WORD}[\w-]{0,20}${SEPARATOR}(${QUOTE}))[^\s"'\`\\$<>{}]{10,400}(?=\1)`,
      "gi",
    ),
    accepts: isRandomLooking,
    source: "assignments in configuration and source, by name and by randomness",
  },
  {
    id: "unquoted-secret",
    hints: SECRET_HINTS,
    pattern: new RegExp(
      String.raw`(?<=${SECRET_WORD}[\w-]{0,20}[ \t]{0,8}[:=][ \t]{0,8})(?=[^\s"'\`]{0,400}\d)[A-Za-z0-9+/_-]{16,400}={0,2}(?![\w.([])`,
      "gi",
    ),
    accepts: isRandomLooking,
    source: "assignments in YAML, INI and properties, by name and by randomness",
  },
];

const SECRET_NAME = new RegExp(`${SECRET_WORD}[_-]?(?:value|text)?$`, "i");

/** True where the name of a field says that its value is a secret, and the value looks like one. */
export function isSecretField(name: string, value: string): boolean {
  return SECRET_NAME.test(name) && value.length >= 8 && !/\s/.test(value) && isRandomLooking(value);
}
