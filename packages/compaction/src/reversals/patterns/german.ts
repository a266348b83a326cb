import { once } from "../once.ts";
import type { ReversalPatterns } from "./reversal-patterns.ts";

const WORD = "[\\p{L}\\p{N}_./@`'\"#+-]+";
const ARTICLE = "(?:(?:das|die|der|den|dem|ein|eine|einen|diese[nrs]?|unsere?n?) )*";
const THING = `${ARTICLE}(?<old>${WORD}(?: ${WORD})?)`;

export const germanReversals = once(
  (): ReversalPatterns => ({
    announcements: [
      /(?<!\p{L})(?:planänderung|neuer plan|kommando zurück|der plan hat sich geändert)(?!\p{L})/iu,
      /(?<!\p{L})(?:(?:es |mir |uns )*anders überlegt|umentschieden|neu überlegt|bei genauerem nachdenken)(?!\p{L})/iu,
      /^(?:korrektur|richtigstellung)(?!\p{L})|(?<!\p{L})(?:ich nehme (?:das|es) zurück|ich (?:lag|hatte mich|habe mich) (?:da )?(?:falsch|geirrt|vertan))(?!\p{L})/iu,
      /^(?:bitte )?(?:vergiss|ignoriere?) (?:das|es|was (?:ich|wir))(?!\p{L})/iu,
    ],
    replacements: [
      /(?<!\p{L})(?:(?:nun|jetzt|lieber|dann) doch|doch (?:nicht|lieber|besser|wieder|kein\p{L}*))(?!\p{L})/iu,
      /(?<!\p{L})(?:nimm|nehmt|nehmen wir|mach|macht|machen wir|dann|bitte) .*(?<!\p{L})lieber(?!\p{L})|^(?:dann |nein,? )?lieber(?!\p{L})/iu,
      /(?<!\p{L})jetzt .*, nicht (?!nur)\p{L}/iu,
      /^(?:bitte )?(?:lass|lasst|lasse|vergiss|streiche?|verwirf) (?:das|die|den) .*(?:,|(?<!\p{L})wieder(?!\p{L}))/iu,
      /(?<!\p{L})(?:ich|wir) (?:will|wollen|nehmen?|möchten?) doch(?!\p{L})|(?<!\p{L})machen wir (?:das |es )?anders(?!\p{L})/iu,
      /(?<!\p{L})(?:fliegt|fliegen|fällt|fallen) (?:raus|weg)(?!\p{L})|(?<!\p{L})entfällt(?!\p{L})|(?<!\p{L})(?:gilt|gelten) nicht mehr(?!\p{L})/iu,
      /(?<!\p{L})war (?:ein fehler|eine schlechte idee|keine gute idee|falsch)(?!\p{L})/iu,
      /(?<!\p{L})(?:wir|ich) (?!(?:weiß|kann|konnte|verstehe)(?!\p{L})).*(?<!\p{L})nicht (?:mehr|länger)(?!\p{L})/iu,
      /^nicht (?:mehr|länger)(?!\p{L})|(?<!\p{L})nicht mehr \p{L}[\p{L}\d-]*, sondern(?!\p{L})/iu,
      /(?<!\p{L})stattdessen(?!\p{L})/iu,
      /(?<!\p{L})(?:wir|ich) (?:wechseln?|steigen? .*um|kehren? .*zurück|gehen? .*zurück)(?!\p{L})/iu,
      /(?<!\p{L})(?:wir|ich) (?:haben?|hatten?) uns? ?gegen (?:.*)entschieden|gegen .* entschieden(?!\p{L})/iu,
      /(?<!\p{L})(?:ist|sind) (?:vom tisch|hinfällig|verworfen|gestrichen)(?!\p{L})|(?<!\p{L})(?:verwerfen|streichen) wir(?!\p{L})/iu,
      /(?<!\p{L})(?:das|dies) (?:ersetzt|löst .* ab)(?!\p{L})/iu,
    ],
    contrasts: [new RegExp(`(?<!\\p{L})(?:statt|anstatt|anstelle)(?: von)? ${THING}`, "iu")],
    endings: [
      new RegExp(`(?<old>${WORD}) doch (?:in|im|am|ab|an|auf|aus|mit|bei|nach|um|von|zu|als|für) `, "iu"),
      new RegExp(
        `(?<!\\p{L})(?:ohne|keine?[nmrs]?|vergiss|streich|lösch|entfern|wirf|schmeiß|lass|tausch|ersetz|nicht(?: mehr)?|weg mit|raus mit|weg von|zurück zu[mr]?)e? ${THING}`,
        "iu",
      ),
      new RegExp(
        `(?<old>${WORD}) (?:ist|sind|wird|soll(?:en|te)?|liegt|läuft|kommt|muss)(?: \\S+){0,2} (?:jetzt|nun|ab jetzt|künftig)(?!\\p{L})|(?<old2>${WORD}) (?:ist|sind) (?:jetzt|nun) `,
        "iu",
      ),
      new RegExp(
        `(?<old>${WORD}) (?:ist|sind|war|wäre) (?:viel |einfach |mir )*(?:zu \\p{L}+|übertrieben|unnötig|belegt|überflüssig)(?!\\p{L})`,
        "iu",
      ),
      new RegExp(
        `(?<!\\p{L})(?:änder|stell|setz|erhöh|senk|heb|benenn|verschieb|verleg)e? ${THING} .*(?<!\\p{L})(?:auf|in|zu|nach)(?!\\p{L})`,
        "iu",
      ),
    ],
    exceptions: [/\?["“”')]?$/, /^(?:warum|wieso|weshalb|was|wann|wo|wer|wie|welche\p{L}*)(?!\p{L})/iu],
  }),
);
