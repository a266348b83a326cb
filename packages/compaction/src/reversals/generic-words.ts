/**
 * Words that stand in talk about any work: that two sentences share one of them says nothing. English, German, French and
 * Spanish; without the plural's "s".
 */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `
  a an and any are as at be been but by can could did do doe doesn don for from get go going had ha have he her here him
  how i if in into is isn it its just let ll lot may me might more much must my need new no not now of ok okay on only or
  our out over own please put re see shall she should so some such than that the their them then there these they thi
  this those to too up us use used using ve very wa want we were what when where which while who why will with would you
  your all also always each every few first last make many most never next old one other same still thing until way well
  work yet add added call check change current done fix keep like look name real run set show start stop take tell try
  write bug build code command comment commit diff doc docs error fail file function issue line log message output part
  problem project question result step task test text thing time todo work
  der die das den dem de des ein eine einen einem einer und oder aber nicht kein keine ist sind war wir ich du sie er es
  man mit von für auf aus bei nach zu zum zur im am an als auch noch nur schon so wie was wenn dann doch mal bitte hier
  da dort alle alles mach nimm soll sollen wird werden haben hat kann
  le la un une et ou mais ne pa est sont on nou vou je tu il elle ce cette dan sur pour par avec san au aux du en que qui
  plu met mettre
  el lo una y o pero es son un se me te le no con sin por para del al que como más esta este usa usar pon poner
  `
    .trim()
    .split(/\s+/),
);
