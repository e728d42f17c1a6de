import { findUnderlyingNames, type Term, toTerms, TYPE_NAMES } from './product-terms.ts';
import { type SearchWord, toWords } from './to-words.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareCodes } from '../compare-codes.ts';
import { isActive } from '../products/is-active.ts';
import { similarity } from './similarity.ts';

/** The texts to mark in a match: the words searched, and the exchange's word for a type where another was used. */
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

/** What is known of the use of products; it decides among equal matches. */
export interface ProductUse {
  /** Symbols, the latest first. */
  readonly recent: readonly string[];
  /** In USD, by product id: contracts of different products cannot be compared. */
  readonly openInterest: ReadonlyMap<number, number>;
}

const NO_USE: ProductUse = { recent: [], openInterest: new Map() };

export interface ProductSearch {
  /** The products that every word matches, the best match first; all for a text without words. */
  readonly find: (text: string) => readonly DeskProduct[];
  /** The products that a text without matches may mean, the likeliest first. */
  readonly nearest: (text: string) => readonly DeskProduct[];
  /** The texts to mark in what was found. */
  readonly marked: (text: string) => readonly string[];
}

interface Posting {
  /** Index of the product. */
  readonly index: number;
  readonly weight: Term['weight'];
}

/**
 * Each word is compared once with each distinct term, however many products share it. A search library was no help: the
 * smallest with prefixes and typing errors finds no part of a symbol, and ranks by how rare a word is, so that an obscure
 * contract comes before the perpetual.
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

/** As many as can be read at a glance. */
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

/** `dec` is December, not the beginning of Deca. Shorter words may be typed no further yet; numbers are ids, strikes and years at once. */
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
  // Within longer numbers, one or two digits are chance.
  return /^\d{1,2}$/.test(word) ? null : 'inside';
}

/** Below this, two words have too little in common to be one misspelt. */
const ALIKE = 0.5;
/** Shorter words are alike by chance. */
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

/** The products that every word has a score for, by the sum. Of equal ones, the more used come first, as they are listed. */
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

/** Active products first; recently used ones before others, since open interest, which no two share, would leave no say to use. */
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

/** The next to expire first; of those that have expired, the last that did. */
function compareExpiries(a: DeskProduct, b: DeskProduct): number {
  const order = compareCodes(a.final_settle_time ?? '', b.final_settle_time ?? '');
  return (isActive(a) ? order : -order) || compareCodes(a.symbol ?? '', b.symbol ?? '');
}
