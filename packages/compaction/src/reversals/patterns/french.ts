import { once } from "../once.ts";
import type { ReversalPatterns } from "./reversal-patterns.ts";

const WORD = '[\\p{L}\\p{N}_./@`"#+-]+';
const THING = `(?:(?:l['’]|le |la |les |un |une |des |du |de la |de l['’]|d['’]|de |ce |cette |notre ))*(?<old>${WORD}(?: ${WORD})?)`;

export const frenchReversals = once(
  (): ReversalPatterns => ({
    announcements: [
      /(?<!\p{L})(?:changement de (?:plan|programme)|j['’]ai changé d['’]avis|on a changé d['’]avis|réflexion faite|à la réflexion|après réflexion|je me suis trompée?|oublie (?:ça|cela|ce que))(?!\p{L})/iu,
      /^(?:correction|rectification)(?!\p{L})/iu,
    ],
    replacements: [
      /(?<!\p{L})finalement(?!\p{L})|(?<!\p{L})en fait,? (?:non|on|il faut|mets|utilise|prends|garde|je préfère)(?!\p{L})|(?<!\p{L})plutôt(?! que)(?!\p{L})/iu,
      /(?<!\p{L})à la place(?! d)(?!\p{L})|(?<!\p{L})(?:on|nous) (?:abandonn|laiss\p{L}* tomber|pass\p{L}* (?:à|sur)|revi?en\p{L}* (?:à|sur|au))\p{L}*/iu,
      /(?<!\p{L})(?:on|nous) n(?:['’]|e )\p{L}+ plus(?!\p{L})|^(?:laisse|laissez) tomber(?!\p{L})|^(?:passe|passons|reviens|revenons) (?:à|sur|au)(?!\p{L})/iu,
      /(?<!\p{L})(?:je préfère|j['’]aimerais mieux|mieux vaut|était une (?:erreur|mauvaise idée))(?!\p{L})/iu,
    ],
    contrasts: [
      new RegExp(`(?<!\\p{L})(?:au lieu d|à la place d|plutôt qu)(?:['’]|e |u |es )${THING}`, "iu"),
      new RegExp(`(?<!\\p{L})(?:et )?(?:non )?pas ${THING},? mais(?!\\p{L})`, "iu"),
    ],
    endings: [
      new RegExp(`(?<old>${WORD}(?: ${WORD})?) n(?:['’]|e )\\p{L}+ plus(?!\\p{L})`, "iu"),
      new RegExp(
        `(?<!\\p{L})(?:plus (?:de|d['’])|sans|pas (?:de|d['’])?|oublie|enlève|supprime|retire|vire|remplace|n['’]utilise (?:pas|plus)|abandonne) ?${THING}`,
        "iu",
      ),
      new RegExp(
        `(?<!\\p{L})(?:change|passe|monte|baisse|augmente|réduis|renomme|mets) ${THING} .*(?<!\\p{L})(?:à|en|par|pour)(?!\\p{L})`,
        "iu",
      ),
      new RegExp(
        `(?<old>${WORD}) (?:est|sont|sera|passe|devient)(?: \\S+){0,3} (?:maintenant|désormais)(?!\\p{L})|(?<old2>${WORD}) (?:est|sont) (?:trop \\p{L}+|pris|prise|inutile|maintenant|désormais)(?!\\p{L})`,
        "iu",
      ),
    ],
    exceptions: [/\?["”»')]?$/, /^(?:pourquoi|quand|où|qui|comment|quel\p{L}*|que|est-ce)(?!\p{L})/iu],
  }),
);
