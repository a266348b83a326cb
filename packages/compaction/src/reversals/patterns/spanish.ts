import { once } from "../once.ts";
import type { ReversalPatterns } from "./reversal-patterns.ts";

const WORD = '[\\p{L}\\p{N}_./@`"#+-]+';
const THING = `(?:(?:el|la|los|las|un|una|de|del|ese|esa|este|esta|nuestro|nuestra) )*(?<old>${WORD}(?: ${WORD})?)`;

export const spanishReversals = once(
  (): ReversalPatterns => ({
    announcements: [
      /(?<!\p{L})(?:cambio de planes|cambi[eé] de (?:idea|opinión)|he cambiado de (?:idea|opinión)|pensándolo (?:bien|mejor)|me equivoqué|olvida (?:eso|lo que|lo de)|olvídalo)(?!\p{L})/iu,
      /^(?:corrección)(?!\p{L})/iu,
    ],
    replacements: [
      /^(?:no,? |bueno,? |mmm*,? |espera,? )?mejor(?!\p{L})|(?<!\p{L})(?:usa|usemos|pon|haz|vamos|deja) .*(?<!\p{L})mejor$|(?<!\p{L})al final (?!del?(?!\p{L}))/iu,
      /(?<!\p{L})(?:ya no (?:us\p{L}+|quiero|queremos|hace falta|vamos)|en su lugar|prefiero|preferimos|dejamos de|vamos a cambiar|volvemos a|vuelve a usar|descartamos|descarta|fue un error)(?!\p{L})/iu,
    ],
    contrasts: [
      new RegExp(`(?<!\\p{L})(?:en vez de|en lugar de) ${THING}`, "iu"),
      new RegExp(`(?<!\\p{L})no ${THING},? sino(?!\\p{L})`, "iu"),
    ],
    endings: [
      new RegExp(`^(?<old>${WORD}) no[,:;]`, "iu"),
      new RegExp(
        `(?<!\\p{L})(?:sin|nada de|quita|quitemos|olvida|elimina|saca|no (?:uses|usemos|quiero|pongas)?|deja de usar|reemplaza|sustituye) ?${THING}`,
        "iu",
      ),
      new RegExp(
        `(?<!\\p{L})(?:cambia|cambiemos|sube|baja|pasa|pasemos|mueve|renombra) ${THING} .*(?<!\\p{L})(?:a|por|en)(?!\\p{L})|(?<!\\p{L})(?:vuelve|volvamos) al? (?<old2>${WORD})`,
        "iu",
      ),
      new RegExp(
        `(?<old>${WORD}) (?:es|son|está|será|debe ser|pasa a ser)(?: \\S+){0,2} ahora(?!\\p{L})|(?<old2>${WORD}) (?:ahora (?:es|son)|es demasiado|está ocupado)(?!\\p{L})`,
        "iu",
      ),
    ],
    exceptions: [/\?["”')]?$/, /^(?:¿|por qué|cuándo|dónde|quién|cómo|cuál|qué)/iu],
  }),
);
