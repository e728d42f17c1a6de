import { TYPE_NAMES } from './product-terms.ts';
import { toWords } from './to-words.ts';

/** The texts to mark in a match: the words searched, and the exchange's word for a type where another was used. */
export function toMarkedTexts(text: string): readonly string[] {
  return toWords(text).flatMap((spellings) => [...spellings, ...spellings.flatMap(toTypes)]);
}

const SHORTEST_TYPE_NAME = 3;

function toTypes(word: string): readonly string[] {
  if (word.length < SHORTEST_TYPE_NAME) return [];
  return Object.entries(TYPE_NAMES).flatMap(([type, names]) =>
    names.some((name) => name.startsWith(word)) ? [type] : [],
  );
}
