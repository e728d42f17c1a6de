/** One word of a search, with other spellings of it. */
export type SearchWord = readonly string[];

/** `120,000`, `120 000` and `120'000` are one number; `120k` is another spelling of it. */
export function toWords(text: string): readonly SearchWord[] {
  const joined = text.toLowerCase().replaceAll(GROUP_SEPARATOR, '');
  return (joined.match(WORD) ?? []).map((word) => [word, ...spellOut(word)]);
}

/** A space may as well stand between two numbers, so it separates groups only before round hundreds. */
const GROUP_SEPARATOR =
  /(?<=(?<![\p{L}\d])(?:\p{Sc}|[cp])?\d{1,3}(?:[,'’_\s]\d{3})*)(?:[,'’_](?=\d{3}(?![\d\p{L}]))|\s(?=\d00(?![\d\p{L}])))/gu;
/** A point within a number belongs to it. */
const WORD = /(?:[\p{L}\p{N}]|(?<=\d)\.(?=\d))+/gu;
const THOUSANDS = /^(\d+(?:\.\d+)?)k$/;

function spellOut(word: string): readonly string[] {
  const [, figure] = THOUSANDS.exec(word) ?? [];
  return figure === undefined ? [] : [String(Number(figure) * 1_000)];
}
