/** How a person takes something back in one language. */
export interface ReversalPatterns {
  /** Says that something is taken back, but not what: the next sentence goes with it. */
  readonly announcements: readonly RegExp[];
  /** Names what holds no more, or what holds instead. */
  readonly replacements: readonly RegExp[];
  /** Questions and reports of the same words. */
  readonly exceptions: readonly RegExp[];
}

const WE = "(?:we|let['’]s|let us|i)(?: have|['’]ve|['’]re| are|['’]ll| will| should)?(?: now| rather)?";
const CHOOSE = "(?:use|take|go (?:with|for)|choose|pick|try|keep|stay with|make it|do|have|need|want)";

export const ENGLISH_REVERSALS: ReversalPatterns = {
  announcements: [
    /\bchange of (?:plans?|mind|course)\b|\bchanged course\b|\bnew plan\b|\bplans? (?:has|have) changed\b/i,
    /\b(?:changed?|changing) (?:my|our) minds?\b|\bon second thoughts?\b|\b(?:i|we)(?: have|['’]ve)? reconsidered\b/i,
    /\b(?:scratch|strike) (?:that|this|it)\b|\b(?:take|taking) (?:that|this|it) back\b/i,
    /^(?:a )?correction\b|^actually\b|\bi (?:was wrong|misspoke)\b|\bmy mistake\b/i,
    /^(?:please )?(?:forget|ignore|disregard) (?:that|it|this|what (?:i|we) (?:said|decided|wrote))\b/i,
  ],
  replacements: [
    /(?<!\b(?:do|does|did|can|could|will|would|is|are|was|were|has|have|had) )\bnot\b[^.?!]{1,80}\bany ?(?:more|longer)\b/i,
    /\bwe (?:do not|don['’]t|will not|won['’]t|are not|aren['’]t)\b.*\bany ?(?:more|longer)\b/i,
    /^(?:please )?(?:do not|don['’]t|stop)\b.*\bany ?(?:more|longer)\b/i,
    /\bno longer (?:use|using|want|need|go with|going with|valid|applies|apply|holds?)\b/i,
    new RegExp(`\\b${CHOOSE}\\b.*\\b(?:instead|rather than|in place of|after all)\\b`, "i"),
    new RegExp(
      `\\b${WE} (?:switch|mov|migrat|go back|going back|return|revert)(?:e|es|ed|ing)?\\b.*\\bto\\b`,
      "i",
    ),
    /^(?:please )?(?:switch|go back|revert|migrate)\b.*\bto\b/i,
    /(?:^|[,;:] )(?:please )?(?:forget|scrap|ditch) (?:about )?(?:the|my|our|what)\b/i,
    /\b(?:we|i)(?: have|['’]ve)? (?:decided? against|dropped|abandoned|ruled out|given up|gave up)\b/i,
    /\b(?:this|that|which) (?:replaces|supersedes|overrides|takes the place of)\b/i,
    /\b(?:is|are) (?:off the table|obsolete|void|superseded|out of the question|cancelled|canceled)\b/i,
    /\bnow\b.*(?:,| and) not \w|\bnow\b.*\b(?:is|are) (?:out|gone)\b|\b(?:is|are) (?:out|gone)\b.*\bnow\b/i,
    /^instead of\b|^no[,.:]? (?:please )?(?:use|take|go|make|pick|choose|do it|keep|write|call|name)\b/i,
    /\bwas a (?:bad|wrong|poor) (?:idea|choice|call|decision)\b|\bwas a mistake\b/i,
    /\b(?:i['’]d|we['’]d|i would|we would) (?:rather|prefer)\b/i,
    /^(?:please )?(?:skip|cancel|drop|abandon|undo|revoke|take back) (?:the|that|this|my|our) (?:[\w-]+ ){0,2}(?:plan|idea|decision|rename|renaming|choice|step|request|task)\b/i,
    /^never ?mind (?:the|what|about|my|our)\b|^(?:please )?(?:cancel|scrap|abandon)\b/i,
    /\b(?:ignore|forget|disregard) (?:my|our|the) (?:earlier|previous|last|first|old|former)\b/i,
    /\bin the end\b|\bafter all\b|\bturns? out\b.*\b(?:better|worse|wrong|so (?:use|take|we))\b/i,
    /\bwe (?:won['’]t|will not|are not going to|aren['’]t going to) (?:be )?(?:us|tak|go|need|do|keep|support)\w*/i,
    /\bwe(?: have|['’]ve)? (?:now )?(?:settled|decided|agreed) (?:on|for)\b|\bis (?=\S*[\d/])\S+ now\b/i,
    /\b(?:let['’]s|let us|we(?:['’]ll| will)?) (?:drop|scrap|skip|cancel|abandon|ditch)\b/i,
    /^replace\b.*\bin the (?:design|plan|spec|proposal)\b/i,
    /\b(?:let['’]s|let us|we(?:['’]ll| will)?) (?:now )?(?:change|set(?! up)|make)\b.*\b(?:to|into)\b/i,
    /\b(?:we|let['’]s|i)\b.*\b(?:away from|rid of)\b/i,
  ],
  exceptions: [/\?["”')]?$/, /^(?:why|what|when|where|who|how|which|does|did|can|could|would)\b/i],
};

export const GERMAN_REVERSALS: ReversalPatterns = {
  announcements: [
    /(?<!\p{L})(?:planänderung|neuer plan|kommando zurück|der plan hat sich geändert)(?!\p{L})/iu,
    /(?<!\p{L})(?:(?:es |mir |uns )*anders überlegt|umentschieden|neu überlegt|bei genauerem nachdenken)(?!\p{L})/iu,
    /^(?:korrektur|richtigstellung)(?!\p{L})|(?<!\p{L})(?:ich nehme (?:das|es) zurück|ich (?:lag|hatte mich|habe mich) (?:da )?(?:falsch|geirrt|vertan))(?!\p{L})/iu,
    /^(?:bitte )?(?:vergiss|ignoriere?) (?:das|es|was (?:ich|wir))(?!\p{L})/iu,
  ],
  replacements: [
    /(?<!\p{L})(?:(?:nun|jetzt|lieber|dann) doch|doch (?:nicht|lieber|besser|wieder|kein\p{L}*))(?!\p{L})/iu,
    /^(?:statt|anstatt|anstelle)(?!\p{L})|(?<!\p{L})jetzt .*, nicht (?!nur)\p{L}/iu,
    /^(?:bitte )?(?:lass|lasst|lasse|vergiss|streiche?|verwirf) (?:das|die|den) .*(?:,|(?<!\p{L})wieder(?!\p{L}))/iu,
    /(?<!\p{L})(?:ich|wir) (?:will|wollen|nehmen?|möchten?) doch(?!\p{L})|(?<!\p{L})machen wir (?:das |es )?anders(?!\p{L})/iu,
    /(?<!\p{L})(?:fliegt|fliegen|fällt|fallen) (?:raus|weg)(?!\p{L})|(?<!\p{L})entfällt(?!\p{L})|(?<!\p{L})(?:gilt|gelten) nicht mehr(?!\p{L})/iu,
    /(?<!\p{L})war (?:ein fehler|eine schlechte idee|keine gute idee|falsch)(?!\p{L})/iu,
    /(?<!\p{L})(?:wir|ich) (?!(?:weiß|kann|konnte|verstehe)(?!\p{L})).*(?<!\p{L})nicht (?:mehr|länger)(?!\p{L})/iu,
    /^nicht (?:mehr|länger)(?!\p{L})|(?<!\p{L})nicht mehr \p{L}[\p{L}\d-]*, sondern(?!\p{L})/iu,
    /(?<!\p{L})stattdessen(?!\p{L})/iu,
    /(?<!\p{L})(?:wir|ich|nimm|nehmt|nutze?|verwende?) .*(?<!\p{L})(?:statt|anstatt|anstelle)(?!\p{L})/iu,
    /(?<!\p{L})(?:wir|ich) (?:wechseln?|steigen? .*um|kehren? .*zurück|gehen? .*zurück)(?!\p{L})/iu,
    /(?<!\p{L})(?:wir|ich) (?:haben?|hatten?) uns? ?gegen (?:.*)entschieden|gegen .* entschieden(?!\p{L})/iu,
    /(?<!\p{L})(?:ist|sind) (?:vom tisch|hinfällig|verworfen|gestrichen)(?!\p{L})|(?<!\p{L})(?:verwerfen|streichen) wir(?!\p{L})/iu,
    /(?<!\p{L})(?:das|dies) (?:ersetzt|löst .* ab)(?!\p{L})/iu,
  ],
  exceptions: [/\?["“”')]?$/, /^(?:warum|wieso|weshalb|was|wann|wo|wer|wie|welche\p{L}*)(?!\p{L})/iu],
};

export const CHINESE_REVERSALS: ReversalPatterns = {
  announcements: [
    /改(?:变)?(?:了)?主意|计划(?:有变|变了|改变|改了)|^更正|纠正一下|我收回|重新考虑|我(?:刚才)?(?:说|弄|搞)错了/,
  ],
  replacements: [
    /不再(?:使用|采用|需要|考虑|用)|(?<!你)不用(?!管|担心|谢|说|麻烦).{1,20}了|不要(?!紧).{1,20}了|还是(?:用|按|采用|选)|改用|换用|换成|改为使用|用.{1,40}而不是|用.{1,30}(?:代替|取代)|放弃|作废|取消/,
  ],
  exceptions: [/[?？]$/, /^(?:为什么|怎么|什么|哪)/],
};
