/** What a prompt asks for, as far as fixed rules can tell. */
export type DemoIntent =
  | { readonly kind: "explain" }
  | { readonly kind: "find_todos" }
  | { readonly kind: "where_defined"; readonly symbol: string }
  | { readonly kind: "run_tests" }
  | { readonly kind: "replace"; readonly from: string; readonly to: string; readonly path: string }
  | { readonly kind: "show_file"; readonly path: string }
  | { readonly kind: "run_command"; readonly command: string }
  | { readonly kind: "recall" }
  | { readonly kind: "unknown" };

const QUOTES = /^["'`“”‘’]+|["'`“”‘’]+$/g;
const unquote = (text: string): string => text.trim().replace(QUOTES, "");

/** One rule: the first whose pattern matches decides. Groups are unquoted in order. */
interface IntentRule {
  readonly pattern: RegExp;
  readonly intent: (groups: readonly string[]) => DemoIntent;
}

const RULES: readonly IntentRule[] = [
  {
    pattern:
      /\b(?:replace|change|rename)\s+(["'`“].+?["'`”]|\S+)\s+(?:with|to|by)\s+(["'`“].*?["'`”]|\S+)\s+in\s+(\S+)/i,
    intent: ([from = "", to = "", path = ""]) => ({
      kind: "replace",
      from,
      to,
      path: path.replace(/[.,;:!?]+$/, ""),
    }),
  },
  { pattern: /^run\s+`([^`]+)`/i, intent: ([command = ""]) => ({ kind: "run_command", command }) },
  {
    pattern: /\b(?:run|execute|start|try)\b.*\btests?\b|\btests?\b.*\b(?:pass|run|green)\b/i,
    intent: () => ({ kind: "run_tests" }),
  },
  { pattern: /\b(?:todo|fixme)s?\b/i, intent: () => ({ kind: "find_todos" }) },
  {
    pattern:
      /\bwhere\s+(?:is|are|does)\s+(?:the\s+)?(?:(?:function|class|method|type|variable|constant|interface|symbol)\s+)?(["'`]?[\w$.#-]+["'`]?)\s+(?:defined|declared|implemented|come)/i,
    intent: ([symbol = ""]) => ({ kind: "where_defined", symbol }),
  },
  {
    pattern: /\b(?:find|show)\s+(?:me\s+)?the\s+definition\s+of\s+(["'`]?[\w$.#-]+["'`]?)/i,
    intent: ([symbol = ""]) => ({ kind: "where_defined", symbol }),
  },
  {
    pattern:
      /\bwhat\b.*\b(?:did|have|had)\b.*\b(?:i|you|we)\b|\b(?:so far|earlier|before|previous(?:ly)?|again)\b|\bwhich files\b.*\byou\b|\bwhat was\b/i,
    intent: () => ({ kind: "recall" }),
  },
  {
    pattern:
      /\b(?:read|show|open|cat|print|what is in|what's in|tell me more about)\s+(?:me\s+)?(?:the\s+)?(?:file\s+)?([\w@./-]*[\w/-]\.\w+)/i,
    intent: ([path = ""]) => ({ kind: "show_file", path }),
  },
  {
    pattern:
      /\b(?:explain|describe|summari[sz]e|overview|about|understand)\b|\bwhat\s+(?:is|does)\b.*\b(?:project|repo|repository|code|this)\b/i,
    intent: () => ({ kind: "explain" }),
  },
];

/** The intent of a prompt by the first matching rule; `unknown` when none matches. */
export function readIntent(prompt: string): DemoIntent {
  for (const { pattern, intent } of RULES) {
    const match = pattern.exec(prompt);
    if (match) return intent(match.slice(1).map((group) => unquote(group ?? "")));
  }
  return { kind: "unknown" };
}
