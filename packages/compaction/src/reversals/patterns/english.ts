import { once } from "../once.ts";
import type { ReversalPatterns } from "./reversal-patterns.ts";

const WE = "(?:we|let['’]?s|let us|i)(?: have|['’]ve|['’]re| are|['’]ll| will| should)?(?: now| rather)?";
const CHOOSE = "(?:use|take|go (?:with|for)|choose|pick|try|keep|stay with|make it|do|have|need|want)";
/** What people say before they come to the point. */
const START =
  "^(?:(?:hm+|ok(?:ay)?|wait|oh|ah|well|so|but|sorry|hold on|hang on|please|yeah|hey|uh)[,.:!… ]+)*";
const CLAUSE = `(?:${START}|[,;:(–—] ?(?:so |and |but |please |just |then )*|\\b(?:and|so|but|please|just|let['’]?s|we['’]ll|to) )`;
const WORD = "[\\w./@`'\"#+-]+";
const ONE = `(?:(?:the|a|an|any|that|this|those|these|our|my|your|all|using|with|in|on|for) )*(?<old>${WORD}`;
/** Up to three words behind an article. */
const THING = `${ONE}(?: ${WORD}){0,2})`;
const SUBJECT = `(?<old>${WORD}(?: ${WORD})?)`;

export const englishReversals = once(
  (): ReversalPatterns => ({
    announcements: [
      /\bchange of (?:plans?|mind|course)\b|\bchanged course\b|\bnew plan\b|\bplans? (?:has |have )?changed\b/i,
      /\b(?:changed?|changing) (?:my|our) minds?\b|\bon second thoughts?\b|\b(?:i|we)(?: have|['’]ve)? reconsidered\b/i,
      /\b(?:scratch|strike) (?:that|this|it)\b|\b(?:take|taking) (?:that|this|it) back\b/i,
      /^(?:a )?correction\b|\bi (?:was wrong|misspoke)\b|\bmy (?:mistake|bad)\b|\bthinking about it (?:more|again)\b|\bon reflection\b|\bcome to think of it\b|\bi know (?:i|we) said\b|\byou win\b|\bi give in\b|\bi stand corrected\b/i,
      new RegExp(
        `${START}(?:no,? )?actually\\b,? (?=(?:no|nope|let['’]?s|let us|${CHOOSE}|don['’]?t|do not|never ?mind|please|just|can|make|i want|i['’]d|we|put|skip|leave)\\b|.*\\b(?:should|is|are|was)\\b.*[\\d\`"])`,
        "i",
      ),
      /^(?:please )?(?:forget|ignore|disregard) (?:that|it|this|what (?:i|we) (?:said|decided|wrote))\b/i,
    ],
    replacements: [
      /(?<!\b(?:do|does|did|can|could|will|would|is|are|was|were|has|have|had) )\bnot\b[^.?!]{1,80}\bany ?(?:more|longer)\b(?! (?:\S+ ){0,2}than\b)/i,
      /\bwe (?:do not|don['’]t|will not|won['’]t|are not|aren['’]t)\b.*\bany ?(?:more|longer)\b(?! (?:\S+ ){0,2}than\b)/i,
      /^(?:please )?(?:do not|don['’]t|stop)\b.*\bany ?(?:more|longer)\b(?! (?:\S+ ){0,2}than\b)/i,
      /\bno longer (?:use|using|want|need|go with|going with|valid|applies|apply|holds?)\b/i,
      new RegExp(`\\b${CHOOSE}\\b.*\\b(?:in place of|after all(?=\\s*(?:[.,;!?)]|$)))`, "i"),
      /^(?!.*\b(?:gets?|got|getting|sees?|shows?|returns?|returned|prints?|throws?|fails?|says?|gives?|happens?|renders?|crash\w*)\b.*\binstead).*\binstead(?=\s*(?:[.!,;)]|$|and\b|because\b|since\b|please\b|for\b|here\b|there\b))/i,
      new RegExp(
        `\\b${WE} (?:switch|mov|migrat|go back|going back|return|revert)(?:e|es|ed|ing)?\\b(?! on\\b).*\\bto\\b`,
        "i",
      ),
      new RegExp(
        `${START}(?:switch|revert|migrate)\\b(?!.*\\b(?:branch|directory|folder|window|tab|worktree|terminal|page|screen|user|commit)\\b).*\\bto\\b`,
        "i",
      ),
      /\bback to (?:using )?(?:the |our |my )?(?:old|previous|former|original|earlier|first|\S+ one\b)/i,
      /(?:^|[,;:] )(?:please )?(?:forget|scrap|ditch) (?:about )?(?:the|my|our|what)\b/i,
      /\b(?:we|i)(?: have|['’]ve)? (?:decided? against|dropped|abandoned|ruled out|given up|gave up)\b/i,
      /\b(?:this|that|which) (?:replaces|supersedes|overrides|takes the place of)\b/i,
      /\b(?:is|are) (?:off the table|obsolete|void|superseded|out of the question|cancelled|canceled)\b/i,
      /\bnow\b.*(?:,| and) not \w|\bnow\b.*\b(?:is|are) (?:out|gone)\b|\b(?:is|are) (?:out|gone)\b.*\bnow\b/i,
      new RegExp(
        `${START}(?:no|nope|nah)[,.:]? (?:please |just )?(?:use|take|go|make|pick|choose|do it|keep|write|call|name)\\b`,
        "i",
      ),
      /^make (?:it|that) an? (?!bit|little|lot|habit)/i,
      /\bwas a (?:bad|wrong|poor) (?:idea|choice|call|decision)\b|\bwas a mistake\b/i,
      /\b(?:i['’]d|we['’]d|i would|we would) (?:rather|prefer)\b(?! not\b)|\bi (?:actually |really )?meant (?!to\b|that\b)/i,
      /^(?:please )?(?:skip|cancel|drop|abandon|undo|revoke|take back) (?:the|that|this|my|our) (?:[\w-]+ ){0,2}(?:plan|idea|decision|rename|renaming|choice|step|request|task)\b/i,
      /^never ?mind (?:the|what|about|my|our)\b|^(?:please )?(?:cancel|scrap|abandon)\b/i,
      /\b(?:ignore|forget|disregard) (?:my|our|the) (?:earlier|previous|last|first|old|former)\b/i,
      /\bin the end\b(?! of\b)|\bafter all(?=\s*(?:[.,;!)]|$))|\bturns? out\b.*\b(?:better|worse|wrong|so (?:use|take|we))\b/i,
      /\bwe (?:won['’]t|will not|are not going to|aren['’]t going to) (?:be )?(?:us|tak|go|need|do|keep|support)\w*/i,
      /\b(?:we|i)(?: have|['’]ve)? (?:now )?(?:settled|decided|agreed) (?:on|for|to)\b|\bis (?=\S*[\d/])\S+ now\b/i,
      /\b(?:let['’]?s|let us) not\b|\b(?:let['’]?s|let us|we(?:['’]ll| will)?) (?:drop|scrap|skip|cancel|abandon|ditch)\b/i,
      /^replace\b.*\bin the (?:design|plan|spec|proposal)\b/i,
      /\b(?:let['’]?s|let us|we(?:['’]ll| will)?) (?:now )?change\b.*\bto\b/i,
      /\b(?:we|let['’]?s|i)\b.*\b(?:away from|rid of)\b/i,
    ],
    contrasts: [
      new RegExp(`\\b(?:instead of|rather than|as opposed to|in favou?r of) ${THING}`, "i"),
      new RegExp(`\\bnot ${ONE})(?:,| but\\b)|, (?:and )?not ${ONE.replace("old", "old2")})\\s*[.!]?$`, "i"),
    ],
    endings: [
      new RegExp(
        `${CLAUSE}(?:no(?: more)?|no need for|without|drop|scrap|ditch|(?<!not )forget(?: about)?|remove|kill|skip|lose|get rid of|(?:rip|throw|take|leave) out|swap(?: out)?|replace|avoid|(?:don['’]?t|do not|never) (?:use|need|want|do|like|go with|bother with)|stop using|never ?mind|hold off on|postpone) ${THING}`,
        "i",
      ),
      new RegExp(`\\bnot ${ONE})`, "i"),
      new RegExp(
        `\\b(?:take|rip|throw|leave|cut|kick) ${THING} out\\b|\\b(?:let['’]?s|we['’]ll) \\w+ ${THING.replace("old", "old2")} into\\b`,
        "i",
      ),
      new RegExp(`${CLAUSE}rename (?:that|this) (?<old>${WORD})`, "i"),
      new RegExp(
        `${SUBJECT} (?:is|are|was|were|looks?|seems?|feels?|sounds?|will be|would be) (?:way |far |just |really |a bit |a little |much |simply |probably |also )*(?:overkill|too (?:long|short|small|big|large|much|many|high|low|heavy|complex|complicated|expensive|strict|early|late|few|little|verbose|generic)|taken|unnecessary|pointless|awful|ugly|horrible|terrible|out\\b|a (?:bad|poor|terrible|wrong) \\w+|no longer|(?:being )?(?:retired|deprecated)|not (?:needed|necessary|worth|an option|allowed|a good \\w+|good enough))`,
        "i",
      ),
      new RegExp(
        `\\b(?:change|bump|raise|lower|increase|decrease|reduce|cut|shorten|upgrade|downgrade|switch) ${THING}(?: ${WORD})*? (?:to|down to|up to)\\b`,
        "i",
      ),
      new RegExp(`\\b(?:move|rename|extend|set) ${ONE}) to\\b`, "i"),
      new RegExp(
        `${SUBJECT} (?:should|must|has to|needs to|will|can) (?:be|go|live|come|run|use|have|get)\\b.*\\b(?:now|from now on)\\b`,
        "i",
      ),
      new RegExp(`${SUBJECT} (?:should|must) be (?:\\w+ )?[\`"']?\\d`, "i"),
      new RegExp(
        `${SUBJECT} (?:is|are) now [\`"'\\d]|${SUBJECT.replace("old", "old2")} (?:has |have |was |is |got |been |are )*moved to\\b`,
        "i",
      ),
      /\byou (?:can|may|could) (?:now )?(?:remove|delete|drop|touch|edit|change|break|ignore|skip|modify|rewrite|use|add) (?<old>.*)/i,
      new RegExp(`\\bback to (?:using )?${THING}`, "i"),
    ],
    exceptions: [/\?["”')]?$/, /^(?:why|what|when|where|who|how|which|does|did|can|could|would)\b/i],
    requests: [/^(?:can|could) (?:we|you|i)\b.*\b(?:after all|instead(?! of)|back to|rather)\b/i],
  }),
);
