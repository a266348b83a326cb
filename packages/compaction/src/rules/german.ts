import type { RulePatterns } from "./rule-patterns.ts";

/** Imperatives that a person uses towards an agent. */
const IMPERATIVE =
  "(?:änder|antwort|arbeit|bau|bearbeit|behalt|belass|benutz|benenn|commit+|deploy|entfern|erklär|erstell|erzeug|fass|formatier|frag|führ|füg|gib|halt|importier|installier|lass|leg|lies|lösch|logg|mach|merg|mock|nenn|nimm|nutz|prüf|push|ruf|rühr|schreib|setz|speicher|sprich|start|test|überschreib|veränder|verschieb|verwend|zeig|acht|beacht|beweg|dokumentier|ergänz|ersetz|erweiter|gebrauch|greif|hol|kürz|kopier|lad|leg|notier|pack|pfleg|plan|rebas|refaktorier|review|rück|schick|schließ|send|sortier|stell|teil|trag|trenn|übersetz|unterlass|verlass|versuch|wart|wechsel|wiederhol|zitier|zieh)(?:e|te)?";
const WHEN =
  "(?:nie|niemals|immer|stets|nicht|kein(?:e[nmrs]?)?|nur|ausschließlich|grundsätzlich|durchgehend|durchweg|ausnahmslos|überall|auf keinen Fall)";

const SUBORDINATE = "(?:warum|wieso|weshalb|ob|wie|wo|wann|weil)";

/** German rules: imperatives with nie, immer, nicht, nur; müssen and dürfen; infinitives as orders. */
export const GERMAN: RulePatterns = {
  signal:
    /überall|\b(?:nie|immer|stets|nicht|kein|nur|ausschließlich|grundsätzlich|durchgehend|durchweg|ausnahm|muss|müss|soll|dürf|darf|du|weg|ohne|frag|klär|sprich|lass|belass|benutz|verwend|nutz|nimm|schreib|antwort|rede|erklär|bitte|vermeid|verzicht|bevorzug|unterlass|halt|bleib|achte|sorge|stell|ab jetzt|ab sofort|von nun|von jetzt|künftig|in zukunft|unter keinen|jede|gehör|tabu|verboten|untersagt|pflicht|prinzipiell)/i,
  lead: /^(?:(?:bitte|und|aber|auch|also|oder|dann|merke?(?: dir)?|wichtig|regel|hinweis|grundsätzlich|generell|in diesem projekt)[,:]?\s+)+/i,
  clause: /(?:,|;| -| –|:)\s+(?:(?:und|aber|also|oder)\s+)?/i,
  rules: [
    new RegExp(
      `^${IMPERATIVE}\\b(?!.*(?<![\\wäöü])${SUBORDINATE}(?![\\wäöü])).{0,120}(?<![\\wäöü])${WHEN}(?![\\wäöü])`,
      "i",
    ),
    /^du (?:darfst|sollst|solltest) .*(?<!\p{L})(?:nur|nicht|nie|niemals|kein\p{L}*|immer)(?!\p{L})/iu,
    /^du musst (?!.*(?<!\p{L})(?:nicht|kein\p{L}*)(?!\p{L}))/iu,
    /^(?:finger|hände) weg(?!\p{L})/iu,
    /(?<!\p{L})ohne (?:mich|uns|vorher|vorherige|meine|unsere|ausdrückliche|rücksprache|freigabe|zustimmung)(?!\p{L})(?!.*(?:ging|war|wurde|hat)(?!\p{L}))/iu,
    /^(?:frage?|kläre?|sprich) (?:mich|uns|das|mit mir|erst|zuerst|immer|vorher)(?!\p{L}).*(?:bevor|vorher|zuerst|erst|ab)(?!\p{L})/iu,
    /^(?:lasse?|belasse?) .*(?:in ruhe|wie (?:sie|er|es) (?:ist|sind)|unverändert|unangetastet)(?!\p{L})/iu,
    /^(?:benutze?|verwende?|nutze?|nimm|schreibe?) .{2,60}(?:, nicht (?!nur)|(?<!\p{L})(?:statt|anstelle|anstatt) )/iu,
    /^(?:antworte?|schreibe?|sprich|rede|erkläre?)(?!\p{L}).{0,30} auf (?:deutsch|englisch|französisch|spanisch|italienisch|chinesisch)(?!\p{L})/iu,
    /^(?:auf keinen fall|unter keinen umständen|keinesfalls)(?!\p{L})/iu,
    /^(?:immer|stets|nie|niemals|nur|ausschließlich|nicht)(?!\p{L}).*\p{L}(?:en|ern|eln)(?:[.!]?$|,)/iu,
    /^dass du (?:.* )?(?:immer|nie|niemals|nur|nicht|kein\p{L}*)(?!\p{L})/iu,
    /(?<!\p{L})(?:bitte|immer|nie|niemals|nicht) (?:immer |nie |nicht |nur |von Hand |direkt )?(?:verwenden|benutzen|nutzen|ändern|anfassen|schreiben|löschen|committen|pushen|ausführen|starten|installieren)[.!]?$/iu,
  ],
  sentenceRules: [
    /^(?:vermeide?|verzichte|bevorzuge|unterlasse?|unterlass)(?!\p{L})|^halte? dich (?:immer |stets |durchgehend |bitte |überall )?an(?!\p{L})/iu,
    /^bleibe? (?:bei|in|auf)(?!\p{L})/iu,
    /^(?:achte|sorge|stell(?:e)?) .*(?<!\p{L})(?:dass|sicher).*(?<!\p{L})(?:immer|nie|stets|niemals|jede[rsnm]?|alle|nur|keine?[nmrs]?|weiterhin|überall|bleib\p{L}*)(?!\p{L})/iu,
    /^(?:ab jetzt|ab sofort|von nun an|von jetzt an|künftig|in zukunft) (?:bitte|immer|nur|nie|kein\p{L}*|heißt|heißen|gilt|gelten|werden|\p{L}+st du|\p{L}+en wir)(?!\p{L})/iu,
    /^ich (?:möchte|will|wünsche mir) (?:(?:hier|generell|grundsätzlich|überhaupt|in diesem projekt|im projekt) )*(?:kein\p{L}*|nie|niemals|nicht, dass)(?!\p{L})/iu,
    /^(?:vor|nach|bei) jede[rmns] [\p{L}-]+ (?!(?:war|gab|kam|ging|hat|ist|stürzt|kommt|muss ich|fehlt)(?!\p{L}))\p{L}+/iu,
    /^kein(?:e[nmrs]?)? [\p{L}\d.-]+(?: [\p{L}\d.-]+)?(?:, bitte)?(?:;|, (?:wir|ich|nimm|nutze?|bitte|sondern|nie)(?!\p{L})|[.!]?$)/iu,
    /^(?!(?:das|es|dies|diese[rsn]?|wem|was)(?!\p{L}))[\p{L}\d -]{3,50} gehör(?:t|en) (?:in|ins|nach|unter|auf)(?!\p{L})/iu,
    /^[\p{L}\d ./-]{3,60} bleib(?:t|en) .*(?:unverändert|unangetastet|wie (?:sie|er|es) (?:ist|sind)|so)(?!\p{L})/iu,
    /(?<!\p{L})(?:ist|sind) (?:streng |strikt |absolut )?(?:tabu|verboten|untersagt|pflicht|nicht erlaubt|nicht gestattet)[.!]?$/iu,
    /(?<!\p{L})(?:wird|werden) .*(?<!\p{L})(?:grundsätzlich|ausschließlich|ausnahmslos|prinzipiell|stets)(?!\p{L})(?!.*(?:leider|obwohl|aber)(?!\p{L}))/iu,
    /(?<!\p{L})(?:ohne ausnahme|keine ausnahmen?|ausnahmslos)[.!]?$/iu,
    // Bare plurals: what every one of them must do. With an article it is mostly a report.
    /^(?!(?:wir|sie|ich|nutzer|benutzer|kunden|anwender|leute|besucher|beide|viele|einige|manche)(?!\p{L}))(?:\p{L}+e[nr]? )?\p{L}{3,}(?: an \p{L}+| in \p{L}+)? (?:müssen|sollen|dürfen (?:nur|nicht|nie|niemals|kein\p{L}*))(?!\p{L})(?!.*(?:haben|sein|zweimal)[.!]?$)/iu,
    /^kein(?:e[nmrs]?)? [\p{L}\d.-]+(?: \p{L}+)? (?:in|im|bei|auf|an|am|ohne|für|mehr|innerhalb|außerhalb)(?!\p{L})/iu,
    /^(?:alle|jede[rsnm]?|sämtliche)(?!\p{L}).{2,80}(?<!\p{L})(?:müssen|muss|sollen|soll|dürfen|darf)(?!\p{L})(?!.*(?:gewesen|worden) sein)/iu,
    /^(?!(?:ich|wir|er|sie|man|das|es)(?!\p{L}))\p{L}[\p{L}\d -]{1,40} (?:dürfen|darf) (?:nie|niemals|nicht|nur|kein\p{L}*)(?!\p{L})/iu,
    /^(?:das|die|der|es)(?!\p{L}).{0,60}(?<!\p{L})(?:muss|müssen|darf|dürfen) .*(?<!\p{L})(?:weiter|bleiben|immer|stets|nie|niemals|nicht|unterstützen|unter \d|kleiner)(?!\p{L})/iu,
    /^wir (?:verwenden|nutzen|benutzen|schreiben|committen|speichern|nehmen|nennen) .*(?<!\p{L})(?:nie|niemals|nur|immer|kein\p{L}*)(?!\p{L})/iu,
  ],
  exceptions: [
    /\?["“”')]?$/,
    /^(?:warum|wieso|weshalb|was|wann|wo|wer|wie|welche|ist|sind|hat|kann|könnte)(?!\p{L})/iu,
    /(?<!\p{L})(?:im moment|momentan|derzeit|zurzeit|gerade)(?!\p{L})/iu,
    /^achte nicht auf/i,
    /^mach dir (?:kein|nicht)/i,
    /^(?:nie|niemals|immer|nur)(?!\p{L}) (?:hätte|habe|hat|hatte|war|wäre|wird|wurde|ist)(?!\p{L})/iu,
    /^kein(?:e[nmrs]?)? (?:ahnung|problem|sorge|zeit|lust|idee|panik|eile|frage|wunder|thema|fehler|chance|änderung|antwort|ursache|wirkung|besserung|hilfe|reaktion|stress|rückmeldung|spur|unterschied|ergebnis\p{L}*|treffer|verbindung)(?!\p{L})/iu,
  ],
};
