/** A secret of a kind, made up, and a piece of text that it stands in. */
export interface SeededSecret {
  readonly kind: string;
  /** What must not be left anywhere. */
  readonly secret: string;
  readonly text: string;
}

/**
 * How secrets look and where they stand. `{A36}` is a run of 36 made-up characters of a class: A letters and digits,
 * L letters, D digits, H hexadecimal, U upper case and 2-7, N upper case and digits, B base64, W letters, digits, `_`
 * and `-`. The secret is what stands in «»; a row without them is one as a whole.
 */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  "aws-access-key": ["AKIA{U16}", "aws_access_key_id = «ASIA{U16}»"],
  "aws-secret-key": ["aws_secret_access_key = «{B40}»", 'AWS_SECRET_ACCESS_KEY="«{B40}»"'],
  "google-api-key": ["AIza{W35}", "https://maps.example.org/api?key=«AIza{W35}»&x=1"],
  "google-oauth-token": ["ya29.{W60}"],
  "google-client-secret": ['"client_secret":"«GOCSPX-{W28}»"'],
  "azure-storage-key": [
    "DefaultEndpointsProtocol=https;AccountName=store;AccountKey=«{B86}==»;EndpointSuffix=core.windows.net",
  ],
  "azure-client-secret": ["{W3}8Q~{W34}"],
  "digitalocean-token": ["dop_v1_{H64}"],
  "databricks-token": ["dapi{H32}"],
  "github-token": [
    "ghp_{A36}",
    "https://x-access-token:«ghs_{A36}»@github.com/a/b.git",
    "\u001b[32mghp_{A36}\u001b[0m",
  ],
  "github-fine-grained-token": ["github_pat_{A22}_{A59}"],
  "gitlab-token": ["glpat-{W20}", "curl --header 'PRIVATE-TOKEN: «glpat-{W20}»'"],
  "npm-token": ["//npm.example.org/:_authToken=«npm_{A36}»"],
  "pypi-token": ["pypi-AgEIcHlwaS5vcmc{W80}"],
  "docker-token": ["dckr_pat_{W27}"],
  "vault-token": ["VAULT_TOKEN=«hvs.{W90}»"],
  "terraform-token": ["{A14}.atlasv1.{W67}"],
  "anthropic-key": ["sk-ant-api03-{W93}AA", '{"apiKey":"«sk-ant-oat01-{W90}»"}'],
  "openai-key": ["sk-proj-{W74}T3BlbkFJ{W74}", "sk-{A20}T3BlbkFJ{A20}"],
  "openrouter-key": ["sk-or-v1-{H64}"],
  "huggingface-token": ["hf_{L34}"],
  "groq-key": ["gsk_{A52}"],
  "xai-key": ["xai-{A80}"],
  "replicate-token": ["r8_{A37}"],
  "slack-token": ["xoxb-{D12}-{D13}-{A24}", "xapp-1-A{N10}-{D13}-{H64}"],
  "slack-webhook": ["https://hooks.slack.com/services/«T{N8}/B{N10}/{A24}»"],
  "discord-bot-token": ["M{A23}.{W6}.{W27}"],
  "telegram-bot-token": ["{D10}:AA{W33}"],
  "stripe-key": ["sk_live_{A24}", "rk_test_{A99}"],
  "stripe-webhook-secret": ["whsec_{A32}"],
  "shopify-token": ["shpat_{H32}"],
  "sendgrid-key": ["SG.{W22}.{W43}"],
  "mailgun-key": ["key-{H32}"],
  "twilio-key": ["SK{H32}"],
  "linear-key": ["lin_api_{A40}"],
  "notion-token": ["ntn_{A46}"],
  "figma-token": ["figd_{W40}"],
  "grafana-token": ["glsa_{A32}_{H8}"],
  "sentry-token": ["sntryu_{H64}"],
  "postman-key": ["PMAK-{H24}-{H34}"],
  "age-key": ["AGE-SECRET-KEY-1{N58}"],
  jwt: ["eyJhbGciOiJIUzI1NiJ9.eyJ{W60}.{W43}"],
  "private-key": [
    "-----BEGIN RSA PRIVATE KEY-----\n«{B64}\n{B64}\n{B64}\n{B12}»\n-----END RSA PRIVATE KEY-----\n",
    '{"private_key":"-----BEGIN PRIVATE KEY-----\\n«{B64}\\n{B64}\\n{B12}»\\n-----END PRIVATE KEY-----\\n"}',
    "-----BEGIN OPENSSH PRIVATE KEY-----\n«{B70}\n{B70}»\n[output was cut here]",
  ],
  "url-password": [
    "postgres://app:«{A20}»@db.internal:5432/app",
    "DATABASE_URL=mysql://root:«{A12}»@127.0.0.1/shop",
    "mongodb+srv://svc:«{A16}»@cluster0.mongodb.net/?retryWrites=true",
    "redis://:«{A18}»@cache:6379/0",
    "https://user:«{A14}»@git.internal/repo.git",
  ],
  "connection-string-password": ["Server=tcp:db,1433;User ID=sa;Password=«{A18}»;Encrypt=True"],
  "authorization-header": ["Authorization: Bearer «{A40}»", '-H "authorization: Basic «{A27}=»"'],
  "command-password": ["curl -u admin:«{A14}» https://ci.internal/api"],
  "netrc-password": ["machine api.internal login deploy password «{A16}»"],
  "registry-auth": ['{"auths":{"registry.internal":{"auth":"«{A30}=»"}}}'],
  "environment-value": [
    "DB_PASSWORD=«{A14}»",
    'export SESSION_SECRET="«{H64}»"',
    "docker run -e API_TOKEN=«{A30}» app",
  ],
  "quoted-secret": ['password: "«{A20}»",', "const apiKey = '«{A32}»';", '"secret_key": "«{A40}»"'],
  "unquoted-secret": ["api_key: «{A32}»", "token = «{H40}»"],
};

const ALPHABETS: Readonly<Record<string, string>> = {
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  L: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  D: "0123456789",
  H: "0123456789abcdef",
  U: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  N: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  B: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  W: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
};

/** Made-up secrets, every kind in turn and every form of it, the same for the same seed. None of them was ever valid. */
export function seededSecrets(count: number, seed: number): readonly SeededSecret[] {
  const random = createRandom(seed);
  const kinds = Object.entries(FORMS);
  return Array.from({ length: count }, (_, index) => {
    const [kind, forms] = kinds[index % kinds.length] ?? ["", []];
    const form = forms[Math.floor(index / kinds.length) % forms.length] ?? "";
    const text = form.replace(/\{([A-Z])(\d+)\}/g, (_whole, name: string, length: string) =>
      madeUp(ALPHABETS[name] ?? "", Number(length), random),
    );
    const secret = /«([^»]*)»/.exec(text)?.[1] ?? bareSecret(text);
    return { kind, secret, text: text.replace(/[«»]/g, "") };
  });
}

/** A form without marks is a secret as a whole, colours of a terminal aside. */
function bareSecret(text: string): string {
  return text.replaceAll("\u001b[32m", "").replaceAll("\u001b[0m", "");
}

/** A run that holds a letter and a digit where its class has both, as real ones of such a length do. */
function madeUp(alphabet: string, length: number, random: () => number): string {
  const pick = (from: string) => from[Math.floor(random() * from.length)] ?? "";
  const run = Array.from({ length }, () => pick(alphabet));
  const digits = alphabet.replace(/\D/g, "");
  const letters = alphabet.replace(/[^A-Za-z]/g, "");
  if (length > 2 && digits !== "" && letters !== "") {
    run[Math.floor(length / 2)] = pick(digits);
    run[Math.floor(length / 3)] = pick(letters);
  }
  // A run neither begins nor ends with a sign that could belong to the text around it.
  if (letters !== "") {
    run[0] = pick(letters);
    run[length - 1] = pick(letters);
  }
  return run.join("");
}

/** The generator "mulberry32": 32 bits of state, enough for test data. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
