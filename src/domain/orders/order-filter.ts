import { toNumber } from '#contract/brand.ts';
import { Decimal } from '../decimal.ts';
import { toNotional, toPrice, toRemaining } from './order-figures.ts';
import type { OrderRow } from './order-row.ts';
import { toStanding } from './order-status.ts';
import { toWords } from './order-text.ts';

/** Fields whose values are words, to be taken or left; each with the word of a row. */
const WORDS = {
  side: ({ order }) => order.side,
  product: ({ order }) => order.symbol,
  type: ({ order }) => order.product_type,
  tif: ({ order }) => order.time_in_force,
  account: ({ order }) => order.account_id,
  firm: ({ order }) => order.clearing_firm_code,
  connection: ({ order }) => order.connection_id,
  status: ({ order }) => toStanding(order).word,
  id: ({ order }) => order.id,
} satisfies Record<string, (row: OrderRow) => string>;

/** Fields whose values are numbers, to be bounded. */
const NUMBERS = {
  price: (row) => (row.terms.conversion === null ? null : toPrice(row).value),
  remaining: (row) => toRemaining(row).value,
  requested: ({ order }) => new Decimal(toNumber(order.quantity_requested)),
  filled: ({ order }) => new Decimal(toNumber(order.quantity_filled)),
  notional: (row) => toNotional(row).value,
} satisfies Record<string, (row: OrderRow) => Decimal | null>;

type WordField = keyof typeof WORDS;
type NumberField = keyof typeof NUMBERS;

/** `is` any of the values; `not`: none of them; `has`: the text occurs. */
type WordTest = 'is' | 'not' | 'has';
/** Bounds are included. */
type NumberTest = 'least' | 'most';

/** One condition; a row has to meet all there are. */
export type OrderFilter =
  | { readonly field: WordField; readonly test: WordTest; readonly values: readonly string[] }
  | { readonly field: NumberField; readonly test: NumberTest; readonly values: readonly [string] };

export const WORD_FIELDS: readonly WordField[] = ['side', 'product', 'type', 'tif', 'account', 'firm', 'connection', 'status', 'id'];
export const NUMBER_FIELDS: readonly NumberField[] = ['price', 'remaining', 'requested', 'filled', 'notional'];
const WORD_TESTS: readonly WordTest[] = ['is', 'not', 'has'];
const NUMBER_TESTS: readonly NumberTest[] = ['least', 'most'];

/** Fields that say whose an order is: nothing of them goes into an address unless the reader wants it. */
export const PRIVATE_FIELDS: ReadonlySet<OrderFilter['field']> = new Set(['account', 'firm', 'connection'] as const);

/** The condition, or null where that is none: an address or a file may say anything. */
export function toOrderFilter(field: string, test: string, values: readonly string[]): OrderFilter | null {
  const word = WORD_FIELDS.find((name) => name === field);
  const wordTest = WORD_TESTS.find((name) => name === test);
  if (word !== undefined && wordTest !== undefined && values.length > 0) return { field: word, test: wordTest, values };
  const number = NUMBER_FIELDS.find((name) => name === field);
  const numberTest = NUMBER_TESTS.find((name) => name === test);
  const [bound] = values;
  if (number === undefined || numberTest === undefined || bound === undefined || !isNumber(bound)) return null;
  return { field: number, test: numberTest, values: [bound] };
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** The value that a row has in a field, to filter by it; null where there is none. */
export function toFilterValue(row: OrderRow, field: OrderFilter['field']): string | null {
  if (isWordField(field)) return WORDS[field](row);
  return NUMBERS[field](row)?.toFixed() ?? null;
}

export interface Search {
  readonly filters: readonly OrderFilter[];
  /** Words that all have to occur somewhere in a row. */
  readonly text: string;
  readonly searchText: (row: OrderRow) => string;
}

/** Rows that meet all conditions, in their order. */
export function filterOrders(rows: readonly OrderRow[], { filters, text, searchText }: Search): readonly OrderRow[] {
  const words = toWords(text);
  if (filters.length === 0 && words.length === 0) return rows;
  const tests = filters.map(toTest);
  return rows.filter((row) => tests.every((test) => test(row)) && (words.length === 0 || occursAll(words, searchText(row))));
}

function occursAll(words: readonly string[], text: string): boolean {
  return words.every((word) => text.includes(word));
}

function toTest(filter: OrderFilter): (row: OrderRow) => boolean {
  if (!isWordFilter(filter)) return toBoundTest(filter);
  const read = WORDS[filter.field];
  const values = filter.values.map((value) => value.toLowerCase());
  if (filter.test === 'has') return (row) => values.some((value) => read(row).toLowerCase().includes(value));
  const wanted = new Set(values);
  return (row) => wanted.has(read(row).toLowerCase()) === (filter.test === 'is');
}

type NumberFilter = Extract<OrderFilter, { readonly field: NumberField }>;

function toBoundTest({ field, test, values: [text] }: NumberFilter): (row: OrderRow) => boolean {
  const read = NUMBERS[field];
  const bound = new Decimal(text);
  return (row) => {
    const value = read(row);
    return value !== null && (test === 'least' ? value.gte(bound) : value.lte(bound));
  };
}

function isWordFilter(filter: OrderFilter): filter is Extract<OrderFilter, { readonly field: WordField }> {
  return isWordField(filter.field);
}

function isWordField(field: OrderFilter['field']): field is WordField {
  return field in WORDS;
}

/** Every word of a field that occurs, with how often, the most frequent first. */
export function countWords(rows: readonly OrderRow[], field: (typeof WORD_FIELDS)[number]): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const word = WORDS[field](row);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}
