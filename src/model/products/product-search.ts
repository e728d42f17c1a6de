import { findUnderlyingNames, type Term, toTerms, TYPE_NAMES } from './product-terms.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareCodes } from '../compare-codes.ts';
import { isActive } from './is-active.ts';

/**
 * Lists the texts to mark in a match: the words searched, and the exchange's word for a type where a synonym was typed.
 */
function toMarkedTexts(text: string): readonly string[] {
  return toWords(text).flatMap((spellings) => [...spellings, ...spellings.flatMap(toTypes)]);
}

const SHORTEST_TYPE_NAME = 3;

function toTypes(word: string): readonly string[] {
  if (word.length < SHORTEST_TYPE_NAME) return [];
  return Object.entries(TYPE_NAMES).flatMap(([type, names]) =>
    names.some((name) => name.startsWith(word)) ? [type] : [],
  );
}

/** How products have been used, which decides among equal matches. */
export interface ProductUse {
  /** Symbols, latest first. */
  readonly recent: readonly string[];
  /** In USD, because contracts of different products cannot be compared; by product ID. */
  readonly openInterest: ReadonlyMap<number, number>;
}

const NO_USE: ProductUse = { recent: [], openInterest: new Map() };

export interface ProductSearch {
  /** Finds the products that match every word, best match first. A text without words finds all. */
  readonly find: (text: string) => readonly DeskProduct[];
  /** Suggests products for a text without matches, likeliest first. */
  readonly nearest: (text: string) => readonly DeskProduct[];
  /** Lists the texts to mark in the products found. */
  readonly marked: (text: string) => readonly string[];
}

interface Posting {
  /** Index of the product. */
  readonly index: number;
  readonly weight: Term['weight'];
}

/**
 * Creates a search that compares each word once with each distinct term, however many products share it. No search
 * library fits: the smallest one with prefixes and typing errors finds no part of a symbol, and ranks rare words first,
 * so an obscure contract would come before the perpetual.
 */
export function createProductSearch(products: readonly DeskProduct[], use: ProductUse = NO_USE): ProductSearch {
  const ranked = rankByUse(products, use);
  const terms = indexTerms(ranked);
  return {
    find: (text) => {
      const words = toWords(text);
      return words.length === 0
        ? ranked
        : pickBest(
            ranked,
            words.map((word) => scoreWord(terms, word)),
          );
    },
    nearest: (text) =>
      pickBest(
        ranked,
        toWords(text).map((word) => scoreLikeness(terms, word)),
      ).slice(0, NEAREST),
    marked: toMarkedTexts,
  };
}

/** As many as a reader takes in at a glance. */
const NEAREST = 3;

type Terms = ReadonlyMap<string, readonly Posting[]>;

function indexTerms(products: readonly DeskProduct[]): Terms {
  const byId = new Map(products.map((product) => [toNumber(product.product_id), product]));
  const context = { findById: (id: number) => byId.get(id), underlyingNames: findUnderlyingNames(products) };
  const postings = products.flatMap((product, index) =>
    toTerms(product, context).map(({ text, weight }) => ({ text, index, weight })),
  );
  return Map.groupBy(postings, ({ text }) => text);
}

type Scores = ReadonlyMap<number, number>;

/**
 * `dec` means December, not the beginning of Deca. Shorter words may be unfinished; numbers may be IDs, strikes or
 * years.
 */
const DECISIVE = /^\p{L}{3,}$/u;

function scoreWord(terms: Terms, spellings: SearchWord): Scores {
  const scores = new Map<number, number>();
  for (const word of spellings) {
    const isDecisive = DECISIVE.test(word) && terms.has(word);
    for (const [term, postings] of isDecisive ? [[word, terms.get(word) ?? []] as const] : terms) {
      const part = findPart(term, word);
      if (part !== null) addBest(scores, postings, ({ weight }) => weight[part]);
    }
  }
  return scores;
}

function findPart(term: string, word: string): keyof Term['weight'] | null {
  const at = term.indexOf(word);
  if (at === -1) return null;
  if (at === 0) return term.length === word.length ? 'whole' : 'start';
  // Within longer numbers, one or two digits match by chance.
  return /^\d{1,2}$/.test(word) ? null : 'inside';
}

/** With less similarity, one word is unlikely to be the other misspelt. */
const ALIKE = 0.5;
/** Shorter words are similar by chance. */
const SHORTEST = 3;

function scoreLikeness(terms: Terms, [word = '']: SearchWord): Scores {
  const scores = new Map<number, number>();
  for (const [term, postings] of terms) {
    if (term !== word && term.length < SHORTEST) continue;
    const likeness = similarity(term, word);
    if (likeness >= ALIKE) addBest(scores, postings, ({ weight }) => likeness * weight.whole);
  }
  return scores;
}

function addBest(
  scores: Map<number, number>,
  postings: readonly Posting[],
  toScore: (posting: Posting) => number,
): void {
  for (const posting of postings) {
    const score = toScore(posting);
    if (score > (scores.get(posting.index) ?? 0)) scores.set(posting.index, score);
  }
}

/**
 * Ranks the products that every word matches by their total score. Among equals, the order of the list decides: most
 * used first.
 */
function pickBest(products: readonly DeskProduct[], words: readonly Scores[]): readonly DeskProduct[] {
  const [first = new Map<number, number>(), ...others] = words;
  const sums = [...first].flatMap(([index, score]) =>
    others.every((scores) => scores.has(index))
      ? [{ index, sum: others.reduce((sum, scores) => sum + (scores.get(index) ?? 0), score) }]
      : [],
  );
  return sums.sort((a, b) => b.sum - a.sum || a.index - b.index).flatMap(({ index }) => products[index] ?? []);
}

const TYPES: readonly (string | undefined)[] = ['perpetual', 'future', 'option', 'spread'];

/**
 * Ranks active products first, then recently used ones. Open interest comes last: no two products share it, so nothing
 * after it would count.
 */
function rankByUse(products: readonly DeskProduct[], { recent, openInterest }: ProductUse): readonly DeskProduct[] {
  const rank = (ranks: readonly (string | undefined)[], of: string | undefined): number =>
    ranks.includes(of) ? ranks.indexOf(of) : ranks.length;
  const keyed = products.map((product) => ({
    product,
    keys: [
      isActive(product) ? 0 : 1,
      rank(recent, product.symbol),
      -(openInterest.get(toNumber(product.product_id)) ?? 0),
      rank(TYPES, product.type),
    ],
  }));
  return keyed
    .sort((a, b) => compareKeys(a.keys, b.keys) || compareExpiries(a.product, b.product))
    .map(({ product }) => product);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  return a.reduce((order, key, index) => order || key - (b[index] ?? 0), 0);
}

/** Sorts the next to expire first; among expired products, the latest. */
function compareExpiries(a: DeskProduct, b: DeskProduct): number {
  const order = compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? '');
  return (isActive(a) ? order : -order) || compareCodes(a.symbol ?? '', b.symbol ?? '');
}

/** One word of a search, with other spellings of it. */
type SearchWord = readonly string[];

/**
 * Splits a search into words. `120,000`, `120 000` and `120'000` are one number; `120k` is another spelling of it.
 *
 * @internal Exported for its test.
 */
export function toWords(text: string): readonly SearchWord[] {
  const joined = text.toLowerCase().replaceAll(GROUP_SEPARATOR, '');
  return (joined.match(WORD) ?? []).map((word) => [word, ...spellOut(word)]);
}

/** A space may also separate two numbers, so it joins digits only before round hundreds. */
const GROUP_SEPARATOR = new RegExp(
  String.raw`(?<=(?<![\p{L}\d])(?:\p{Sc}|[cp])?\d{1,3}(?:[,'’_\s]\d{3})*)` +
    String.raw`(?:[,'’_](?=\d{3}(?![\d\p{L}]))|\s(?=\d00(?![\d\p{L}])))`,
  'gu',
);
/** A point within a number belongs to the number. */
const WORD = /(?:[\p{L}\p{N}]|(?<=\d)\.(?=\d))+/gu;
const THOUSANDS = /^(\d+(?:\.\d+)?)k$/;

function spellOut(word: string): readonly string[] {
  const [, figure] = THOUSANDS.exec(word) ?? [];
  return figure === undefined ? [] : [String(Number(figure) * 1_000)];
}

/**
 * Measures how alike two words are, from 0 to 1, by the share of adjacent letter pairs that they have in common (Dice).
 */
function similarity(a: string, b: string): number {
  const [left, right] = [toPairs(a), toPairs(b)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / Math.max(left.size + right.size, 1);
}

/** Splits a word into letter pairs. The first letter also counts by itself, because it is seldom mistyped. */
function toPairs(word: string): ReadonlySet<string> {
  return new Set(Array.from(word, (letter, index) => (index === 0 ? `^${letter}` : word.charAt(index - 1) + letter)));
}
