import { once } from "./once.ts";

/** What the words of a sentence say of its purpose, whatever it is about. */
export interface Clues {
  /** Asks for more work, or says what is to be in some case. */
  readonly isWork: boolean;
  /** Sets something, as a decision does. */
  readonly isSetting: boolean;
  readonly hasClauses: boolean;
  readonly isNegated: boolean;
  /** Says that from here on it is otherwise, who decided that, or why. */
  readonly isTurn: boolean;
}

export function cluesOf(sentence: string): Clues {
  return {
    isWork: work().test(sentence) || cases().test(sentence),
    isSetting: hasAny(settings(), sentence) || hasAny(choices(), sentence),
    hasClauses: /[,;–] /.test(sentence),
    isNegated: isNegated(sentence),
    isTurn: hasAny(turns(), sentence) || hasAny(authorities(), sentence) || isChoiceForReason(sentence),
  };
}

export function isNegated(sentence: string): boolean {
  return hasAny(negations(), sentence);
}

/** True for a sentence that tells what happens, or asks to look at it. */
export function isReport(sentence: string): boolean {
  return hasAny(reports(), sentence);
}

/** A choice in one clause and what speaks for it, or against the other, in another one. */
function isChoiceForReason(sentence: string): boolean {
  const clauses = sentence.split(/[,;:–—]\s|\s-\s|\b(?=so |because |since |weil )/i);
  return clauses.some(
    (clause, at) =>
      !PURPOSE.test(clause) &&
      hasAny(complaints(), clause) &&
      clauses.some((other, place) => place !== at && hasAny(choices(), other)),
  );
}

function hasAny(patterns: readonly RegExp[], sentence: string): boolean {
  return patterns.some((pattern) => pattern.test(sentence));
}

const reports = once(() => [
  /\b(?:(?<!\bnot )fails?|failing|failed|crash\w*|(?<!\bbe an )\w*errors?|exceptions?|raises|chokes?|throws?|hangs?)\b/i,
  /\b(?:never \w+s|sees|blank|broken|undefined|flicker\w*|stack ?trace|wrong|bug|missing|overlaps?)\b/i,
  /\bi(?:['’]?m| am)? (?:get|getting|see|seeing|got)\b|\b(?:when i|whenever|why|still|look at|(?<!-)check)\b/i,
  /\b(?:does|do|did|is|are|was|has|have|had)(?:n['’]t| not) (?:work|start|load|show|render|compile|build|respond|appear|happen|exist|reachable|readable|found|been)\w*/i,
  /\bdid(?:n['’]t| not)\b|\b(?:there(?:['’]s| is| are)|has|have|had|shows?|gives?) no\b|\btime[sd]? out\b/i,
  /schlägt fehl|fehlt|ruckelt|kommt nicht an|fehler|bricht|stürzt|(?:geht|startet|funktioniert|läuft|lädt) nicht|warum|schau|prüf/i,
  /échoue|erreur|plante|ne (?:se \S+|marche|répond|démarre|fonctionne|s['’]affiche|fait|contien)\S* (?:pas|rien)|il manque|vérifie/i,
  /falla|no (?:funciona|arranca|responde|carga|hace|se ve)|falta|revisa/i,
  /失败|报错|错误|崩溃|不工作|看看|检查|原因|显示不/,
  /失敗|エラー|落ち|動きません|動かない|起きません|起こりません|できません|調べ|原因|直して/,
]);

const work = once(
  () =>
    new RegExp(
      [
        "^(?:(?:ok(?:ay)?|now|then|please|and|also|great|good|thanks|next|yes|can you|could you|bitte|jetzt)[,.:! ]+)*",
        "(?:add|write|create|run|rerun|show|print|list|plot|explain|format|implement|refactor|commit|push|merge|open|fix|find",
        "|read|test|document|update|install|log|compare|generate|clean|build|start|füge?|leg|schreib|erstell|zeig|führ|ajoute",
        "|clear|shuffle|label|tag|restore|crop|measure|zoom|prepare|configure|squash|rebase|publish|profile|tune|investigate",
        "|verify|validate|copy|extract|import|deploy|review|handle|kopier|prüf|publica|configura|exporta",
        "|écris|crée|lance|montre|corrige|añade|escribe una|crea|ejecuta|muestra|加|写|运行|添加)(?![\\p{L}-])",
      ].join(""),
      "iu",
    ),
);

const cases = once(
  () =>
    /^(?:(?:and|also|but) )?(?:if|when|whenever|after|before|once|while|unless|wenn|falls|nachdem|bevor|nach|si|quand|après|avant|cuando|después)(?!\p{L})|^(?:如果|当)/iu,
);

const negations = once(() => [
  /\b(?:no|not|nobody|none|never|nothing|cannot)\b|n['’]t\b/i,
  /\b(?:kein\w*|nicht|raus|weg)\b|(?:^|\s)(?:pas|plus de|plus d['’]|ne|nada|nunca|ya no)\s/i,
  /不|别|没|ない|なし|ません|じゃなく|ではなく/,
]);

const settings = once(() => [
  /\b(?:should|must|needs?|uses?|make|set|only|just|enough|please|instead|go|goes|going|take|let['’]?s|wants?|it is|fine)\b/i,
  /\b(?:better|default|stays?|will|we|so|lower|raise|limit|do)\b|[:=→]|->/i,
  /\b(?:soll\w*|muss|nimm|nehmen|wir|reicht|bitte|machen?|wird|ab jetzt)\b/i,
  /\b(?:doit|sera|on|il faut|suffit|utilise|prends)\b|\bpar défaut/i,
  /\b(?:debe\w*|usa|usemos|mejor|basta|pon|que sea|por defecto)\b/i,
  /必须|用(?!户)|改|就行|够|应该|にし|にする|でお願い|を使/,
]);

const turns = once(() => [
  /\bnow[.!]?$|\bfrom (?:now|today|tomorrow|next \w+) on\b|\bgo (?:for|with) (?:that|it|this)\b|\btake back\b/i,
  /\b(?:instead|rather than|(?:only|just) care about|will do|out of scope|blocked by|(?:more|less) than we need)\b/i,
  /\b(?:leave|throw|take|rip|kick) (?:it|them|that|those) (?:out|away|off)\b|\b(?:drop|kill|scrap) (?:it|them)\b/i,
  /\b(?:is|are|gets?|being) (?:being )?(?:shut down|retired|deprecated|phased out)\b|\bgiv(?:e|ing) up on\b/i,
  /\b(?:is|are|would be|will be) (?:enough|sufficient|plenty|fine)\b|\bwould be (?:better|nicer)\b/i,
  /\bwon['’]t (?:scale|fit|do|work out)\b|\bi don['’]?t think\b.*\bworth\b/i,
  /^(?:\S+ ){0,2}\S+,? (?:please|pls|bitte)[,.] |[,;] so (?:\S+ ?){1,3}[.!]?$/i,
  /[,;] let['’]?s (?!see|check|look|fix|add|test)/i,
  /(?<!\p{L})(?:abgeschaltet|eingestellt|nur noch|wären? besser|ab jetzt|ab sofort|reicht|genügt)(?!\p{L})/iu,
  /(?<!\p{L})(?:serait mieux|c['’]est décidé|désormais|suffit|sería mejor|basta)(?!\p{L})/iu,
  /改[成为]|就行|就够了|就好/,
]);

/** Speaks ill of something. */
const complaints = once(() => [
  /\btoo \w+|n['’]t\b|\b(?:nobody|no one|not|never|nothing|none|pain|boring|clash\w*|noisy|slow|overkill|expensive)\b/i,
  /\b(?:annoying|confusing|ugly|messy|overfits?|dies|breaks?|biting|rate.limited|blocked|limits?|dead|hard to)\b/i,
  /\b(?:worse|bad|badly|taken)\b|(?<!\p{L})(?:zu \p{L}+|nadie|personne|demasiado|trop)(?!\p{L})|太/iu,
]);

/** Names who or what decided; names begin with a capital. */
const authorities = once(() => [
  /\b(?:legal|product|management|marketing|security|ops|infra|design(?:ers?)?|(?:the )?(?:team|boss|client|customers?)|the users?|they|everyone|people|chef|kunde|kundin|le client|el cliente|el jefe|\p{Lu}\p{Ll}+) (?:wants?|insists?|asked|said|says|complained|decided|prefers?|hates?|will|would rather|veut|quiere|pide)\b/u,
  /\b(?:i (?:talked|spoke) (?:to|with)|(?:i was|we were) told|per the new|new (?:rule|policy|guideline))\b/i,
]);

/** Says what comes instead, at the beginning of a clause. */
const choices = once(() => [
  new RegExp(
    [
      "(?:^|[,;:–—]\\s*(?:so |and |then |but )*|\\bso )",
      "(?:(?:please|just|let['’]?s|we(?:['’]ll)?|i|you|better|simply) )*",
      "(?:try|use|take|go|make|put|need|do|have|want|pick|choose|generate|render|batch|partition|move|keep|store|write|read",
      "|send|rename|split|fill|only|square|one|a|an|nimm|wir|mach|utilise|on|usa|usemos)\\b",
    ].join(""),
    "iu",
  ),
  /\b(?:should|must|has to|have to|needs?|soll|muss|doit|debe)\b/iu,
]);

/** What a choice is to bring about, which speaks for itself and not against another. */
const PURPOSE = /^so /i;
