import type { RulePatterns } from "./rule-patterns.ts";

/** What a person tells an agent to do or leave. */
const VERBS =
  "add|answer|ask|break|build|call|change|check|commit|convert|copy|create|delete|deploy|disable|drop|edit|explain|expose|fetch|fix|force|format|give|hardcode|hard-code|import|include|inline|install|introduce|keep|leave|let|log|make|merge|mention|mock|modify|move|name|open|overwrite|print|push|put|read|rebase|refactor|reformat|remove|rename|replace|reply|respond|return|reuse|rewrite|run|send|set|show|skip|squash|start|stop|store|suggest|tell|test|throw|touch|try|update|upgrade|use|wait|wrap|write|work";
const VERB = `(?:${VERBS})\\b`;
const SUBORDINATE = "why|that|which|who|how|where|whether|if|when|because|says?";
const NOT = "(?:do not|don['’]t)";
/** Verbs of how work is done; of others a word like "here" makes no rule. */
const STYLE_VERB =
  "(?:use|write|prefer|favou?r|keep|name|follow|put|store|import|call|format|indent|answer|reply|respond|document|structure)\\b";
const HERE = "in this (?:repo|repository|project|code ?base|package|session|conversation)";
const LANGUAGES =
  "(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean)";

/** English rules: imperatives with never, always, only, do not; obligations of "you", "all", "every". */
export const ENGLISH: RulePatterns = {
  signal:
    /\b(?:never|always|do not|don['’]t|only|exclusively|everywhere|all|any|each|every|you|circumstances|account|case|means|point|time|before|whenever|unless|without|ask|check|consult|leave|keep|hands off|stays?|steer|use|answer|reply|respond|speak|talk|forbidden|not|mandatory|no|from now|avoid|refrain|prefer|favou?r|going forward|rest of|future|exceptions?|full stop|period|belongs?|remains?|off[- ]limits|banned|prohibited|taboo|non-negotiable|in this|throughout|for everything|across the board|by default|nowhere|must|should|shall|may|stick|make sure|ensure|see to it|take care)\b/i,
  lead: /^(?:(?:please|and|but|also|so|then|or|ok(?:ay)?|hey|note(?: that)?|remember(?: that)?|important|rule|reminder|whatever you do|no matter what|in general|in this (?:repo|project|code base|session)|as a rule|for (?:now|this project))[,:]?\s+)+/i,
  clause:
    /(?:,|;| -| –| —|:)\s+(?:(?:and|but|so|or|then)\s+)?|\s+(?:and|but)\s+(?=never|always|do not|don['’]t|only)/i,
  rules: [
    new RegExp(`^never,?(?: ever,?)? (?:again )?${VERB}`, "i"),
    new RegExp(`^always (?:\\w+ly )?(?:${VERB}|prefer|assume|be\\b)`, "i"),
    new RegExp(`^${NOT} (?:you dare |ever |even )?(?:to )?${VERB}`, "i"),
    new RegExp(`^(?:only|exclusively) (?:ever )?${VERB}`, "i"),
    new RegExp(`^${VERB} only\\b|^${VERB}.* only[.!]?$`, "i"),
    // An order with a lasting word in it; what a subordinate clause says of the code is none.
    new RegExp(`^${VERB}(?!.*\\b(?:${SUBORDINATE})\\b).*\\b(?:never|always|everywhere|at all times)\\b`, "i"),
    /^you(?: (?:must|shall|may|can|are|should)|['’]re)(?: not|n['’]t)? (?:never|always|only|allowed to)\b/i,
    /^you (?:must|shall|may)(?: not|n['’]t)? (?!have\b|be\b|think\b|know\b|wonder\b)\w+/i,
    /^(?:i (?:want|need|expect|ask)|i['’]d like) you (?:to (?:always|never|only)|(?:always|never|not) to)\b/i,
    /^it(?: is|['’]s) (?:important|crucial|essential|vital) that you (?:never|always|only|do not|don['’]t)\b/i,
    /^(?:under no circumstances|on no account|at no (?:point|time)|in no case|by no means)\b/i,
    new RegExp(`^before (?:every|each|any|you)\\b.*, (?:please |always |first )?${VERB}`, "i"),
    /^(?:every|each) time you\b|^whenever you\b|^unless (?:i|we) (?:say|ask|tell)\b/i,
    /\bunless (?:i|we) (?:\w+ )?(?:say|ask|tell|agree|approve)\b/i,
    /\bwithout (?:asking|checking with|telling) (?:me|us)\b|\bwithout (?:my|our|prior|explicit) (?:\w+ )?(?:approval|permission|consent|agreement|ok)\b/i,
    /^(?:ask|check with|consult) (?:(?:me|us) )?(?:first|before)\b/i,
    /^(?:leave|keep) .*(?:\balone|\bas (?:it|they) (?:is|are)|\buntouched|\bunchanged|\bas is)\b/i,
    /^(?:keep (?:your )?)?hands off\b|^(?:keep|stay) away from\b|^steer clear of\b/i,
    /^use [^,]{2,60}, not \w|^use .{2,60} (?:instead of|rather than|over) \w(?!.*\b(?:here|this time|in this)\b)/i,
    new RegExp(
      `^(?:answer|reply|respond|speak|talk)\\b(?: to me)? (?:only )?in (?:\\w+ )?${LANGUAGES}\\b`,
      "i",
    ),
    /^(?:it is|it's) (?:forbidden|not allowed|mandatory) to\b/i,
  ],
  sentenceRules: [
    /^never,? (?:ever,? )?[a-z-]+ (?!\w+ (?:seen|been))/i,
    /^we (?:never|always|only) (?:use|write|add|commit|merge|deploy|store|keep|call|name|import|mock|run|push|log|return|throw)\b/i,
    new RegExp(`^from now on,? (?:you|we|please|always|never|only|no\\b|${NOT}|${VERB})`, "i"),
    /^no (?:[\w.-]+ ){1,3}?(?:in|on|inside|outside|without|anywhere|for|from|to)\b|^no [\w.-]+(?: [\w.-]+)?(?:, please)?[.!]?$/i,
    /^avoid \w|^refrain from\b|^prefer \w|^favou?r \w/i,
    new RegExp(
      `^${NOT} (?!be (?:surprised|shocked|afraid|scared|shy|sorry|mad|angry|alarmed|confused|fooled|silly|late)|forget|hesitate|let me|let us|wait|have|need|want|expect|trust|believe|agree|remember|see|recall|feel|like|suppose|guess|tell me|blame|laugh|ask me)[a-z]+ \\w`,
      "i",
    ),
    /^i (?:do not|don['’]t|never) want (?:any|you to|to see)\b|^i (?:want|expect) (?:no|every|each)\b/i,
    /^(?:going forward|for the rest of (?:this|the) (?:session|project)|in (?:the )?future)\b,? (?!.*\b(?:might|could|will)\b)/i,
    /^no [\w.-]+(?: [\w.-]+){0,2}(?:,? please)?(?:;|, (?:we|i|use|ever|not|only|no)\b)/i,
    /^no \w+(?: \w+)? (?:longer|larger|more|bigger|deeper|wider|higher) than\b/i,
    /\b(?:no exceptions|without exceptions?|full stop|period)[.!]?$/i,
    /^(?!(?:this|that|it|these|those|which)\b)[a-z][\w ]{2,40} belongs? (?:in|into|under|on)\b(?! (?:my|his|her))/i,
    /^[a-z][\w ./-]{2,60} (?:stays?|remains?) (?:as (?:it is|they are)|untouched|unchanged|read-only|frozen|off[- ]limits)\b/i,
    /\b(?:is|are) (?:strictly |absolutely )?(?:off[- ]limits|forbidden|banned|prohibited|not allowed|mandatory|taboo|non-negotiable)(?: (?:here|in this \w+))?[.!]?$/i,
    new RegExp(
      `^${STYLE_VERB}(?!.*\\b(?:${SUBORDINATE})\\b).*(?:${HERE}|\\b(?:throughout|for everything|across the board|by default|without exception)\\b)`,
      "i",
    ),
    new RegExp(
      `^${VERB}(?!.*\\b(?:${SUBORDINATE})\\b).*\\b(?:every single time|nowhere else|each and every)\\b`,
      "i",
    ),
    // A bare plural is what every one of them must do; with an article it is mostly a report.
    /^(?!(?:users?|customers?|people|visitors|clients|admins|colleagues|others|this|perhaps|sometimes|always|things)\b)(?:[a-z-]+ )?[a-z-]+s (?:must|should|shall|may only|may not)\b(?! have\b)(?!.*\b(?:but|twice|again)\b)/i,
    /^stick (?:to|with)\b/i,
    /^[\w ]{2,40}\b(?:are|is) always (?!the\b|a\b|so\b|too\b|very\b|empty\b|wrong\b|slow\b|late\b|null\b|undefined\b|red\b|broken\b)\w+ in\b/i,
    /^keep (?:the |all |every |our |your |any )?[\w./ -]+ (?:in sync|up to date|up-to-date|below|under|out of|free of|compatible|short|sorted|green)\b/i,
    /^(?:make sure|ensure|see to it|take care)\b(?: that)? .*\b(?:always|never|every|each|all|only|ever|remains?|stays?)\b/i,
    /^(?:all|every|each|any)\b(?! time\b).{2,80}\b(?:must|should|shall|ha(?:s|ve) to|needs?)\b(?! have (?:been|\w+ed)\b)/i,
    /^(?!(?:i|we|they|he|she|there|that)\b)[a-z][^"“,]{0,60}\bmust (?:not|never|always|stay|remain|keep|continue|work|support|run|fit)\b(?! have\b)/i,
  ],
  exceptions: [
    /\?["”')]?$/,
    /^(?:why|what|when|where|who|how|which|is|are|does|did|can|could|would|has|have)\b/i,
    /\b(?:at the moment|currently|right now|used to)\b/i,
    /^never (?:mind|has|have|had|did|was|were|in|again|seen|heard|thought|before)\b/i,
    /^(?:do not|don['’]t) (?:worry|mind|care|bother|panic|know|think|understand|see|get me|be sorry)\b/i,
    /^no (?:idea|clue|luck|problem|worries|worry|rush|hurry|need|wonder|doubt|way|one|thanks|it|that|this|more|longer|matter|change|answer|error|errors|offence|offense|reason|sign|difference)\b/i,
  ],
};
