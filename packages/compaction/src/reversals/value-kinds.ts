import { once } from "./once.ts";

/** Words of any talk, a line a kind: alone they are no choice. Lower case, one word each. */
const COMMON_LINES = `
monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
red blue green yellow orange purple pink black white grey gray brown teal rot blau grün gelb schwarz weiß grau rouge bleu vert jaune noir blanc gris rojo azul verde amarillo negro blanco
hourly daily weekly monthly quarterly yearly nightly täglich wöchentlich monatlich stündlich quotidien hebdomadaire mensuel diario semanal mensual
english german french spanish italian japanese chinese englisch deutsch französisch anglais français allemand inglés español francés
light dark dunkel claro oscuro clair sombre
portrait landscape hochformat querformat
dollars euros pounds francs yen euro dollar franken
celsius fahrenheit kelvin
kilometers miles kilometres
debug info warn trace
linux windows macos
email sms telegram slack
left right top bottom rechts oben unten
newest oldest
ascending descending
hover click
optimistic pessimistic
public private
sync async synchronous asynchronous
client server
horizontal vertical
manual automatic
eager lazy
strict lenient
desktop mobile
nearest farthest
minimum maximum
singular plural
monolith microservices
tabs spaces
staging production
rebase squash merge
frontend backend
`;

/**
 * What software is made of and with, a line a kind: who named one of a line and then another has most likely chosen anew.
 * What is an everyday word as well stands in capitals, and counts so alone.
 */
const CHOICE_LINES = `
postgres postgresql mysql mariadb sqlite mongo mongodb dynamodb cassandra cockroachdb duckdb oracle mssql firestore
redis memcached valkey
rabbitmq kafka nats sqs pulsar activemq
npm yarn pnpm bun
pip poetry uv conda pipenv
jest vitest mocha jasmine ava
pytest unittest nose
playwright cypress selenium puppeteer
react vue svelte angular preact
redux zustand mobx recoil jotai usestate
tailwind bootstrap bulma
webpack vite rollup esbuild parcel turbopack
eslint biome
python golang rust java kotlin typescript javascript ruby php elixir c++ c# swift scala
express fastify koa hono nestjs
django flask fastapi
REST graphql grpc trpc soap
axios fetch ky
yaml toml json ini xml
markdown rst restructuredtext asciidoc
csv xlsx excel pdf parquet
aws gcp azure fly heroku vercel netlify hetzner
s3 gcs minio
terraform pulumi cdk ansible
docker podman
kubernetes nomad swarm
jenkins circleci travis
nginx caddy traefik apache
oauth saml passkey
rs256 hs256 es256
uuid ulid cuid nanoid
websocket websockets sse polling
prisma drizzle typeorm sequelize knex sqlalchemy
zod valibot yup joi
cron systemd
alpine distroless
sentry datadog cloudwatch newrelic
google outlook
github gitlab bitbucket
pandas polars
elasticsearch elastic meilisearch opensearch solr typesense
firebase supabase
bcrypt argon2 scrypt pbkdf2
gzip zstd brotli lz4 bzip2
mapbox openstreetmap leaflet maplibre
MIT apache-2 gpl bsd mpl agpl
nextjs nuxt remix astro sveltekit
auth0 clerk keycloak okta cognito
stripe paypal adyen mollie braintree
sendgrid mailgun postmark resend
pytorch tensorflow jax keras
xgboost lightgbm catboost
sass stylus
nx turborepo lerna
winston pino bunyan
gunicorn uvicorn hypercorn
junit testng spock
swiftui uikit
flutter expo ionic capacitor
jira trello asana
vim emacs
ubuntu debian fedora
httpx aiohttp urllib
lodash ramda
dayjs luxon
storybook ladle
grafana kibana
unity godot unreal
png jpeg jpg webp avif svg
camelcase snake_case kebab-case
`;

const linesOf = (text: string) => text.trim().split("\n");
const commonKinds = once(() => linesOf(COMMON_LINES).length);
const kinds = once(
  () =>
    new Map(
      [...linesOf(COMMON_LINES), ...linesOf(CHOICE_LINES)].flatMap((line, kind) =>
        line.split(" ").map((word) => [word, kind] as const),
      ),
    ),
);

const words = once(() => /[\p{L}\p{N}][\p{L}\p{N}_+#-]*/gu);
const numbers = once(
  () =>
    /(?<![A-Za-z0-9_.-])v?\d+(?:[.,:/]\d+)*|\b(?:a|an|per|one) (?:second|minute|hour|day|week|month|quarter|year)\b|\b(?:un|une|una|eine?) (?:an|mois|semaine|jour|heure|jahr|monat|woche|tag|stunde|año|mes|semana|día|hora)(?!\p{L})|[一二三四五六七八九十百]+(?=[个次天秒分小周月年页条倍%])/gu,
);
const NUMBER_WORDS: ReadonlySet<string> = new Set(
  `two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty sixty hundred zwei drei vier fünf
  sechs sieben acht zehn zwanzig dreißig deux trois quatre cinq six dix vingt trente dos tres cuatro cinco seis diez veinte
  treinta`.split(/\s+/),
);
/** Numbers, in whatever words, are one kind. */
export const NUMBER_KIND = -1;

/** Values of a sentence, in lower case, each with the kind that it is one of. */
export function valuesOf(sentence: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [number] of sentence.toLowerCase().matchAll(numbers())) values.set(number, NUMBER_KIND);
  for (const [written] of sentence.matchAll(words())) {
    const word = written.toLowerCase();
    const kind = kinds().get(written) ?? kinds().get(word);
    if (kind !== undefined) values.set(word, kind);
    else if (NUMBER_WORDS.has(word)) values.set(word, NUMBER_KIND);
  }
  return values;
}

/** True for a kind whose words stand in any talk, numbers among them. */
export function isCommonKind(kind: number): boolean {
  return kind < commonKinds();
}
