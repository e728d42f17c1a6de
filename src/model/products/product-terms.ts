import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { dateOf } from '../time/session.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { toDecimal } from '../units/decimal.ts';

const MONTH_CODES = 'FGHJKMNQUVXZ';
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

type FindById = (id: number) => DeskProduct | undefined;

/**
 * Lists all names of a contract month: for a spread, the months of its legs; for an option, the month of its
 * underlying.
 */
function toMonthNames(product: DeskProduct, findById: FindById): readonly string[] {
  const related = [
    ...(product.legs ?? []).map(({ product_id }) => product_id),
    ...(product.underlying_product === undefined ? [] : [product.underlying_product]),
  ];
  const products = [product, ...related.flatMap((id) => findById(toNumber(id)) ?? [])];
  return [...new Set(products.flatMap(toOwnMonthNames))];
}

function toOwnMonthNames({ month, year, final_settle_time: settles }: DeskProduct): readonly string[] {
  const [settleYear, settleMonth] = settles === undefined ? [] : dateOf(settles).split('-').map(Number);
  const index = month === undefined ? (settleMonth ?? 0) - 1 : MONTH_CODES.indexOf(month.toUpperCase());
  const name = MONTHS[index];
  const fullYear = year ?? settleYear;
  if (name === undefined || fullYear === undefined) return [];
  const [code, short, years] = [MONTH_CODES.charAt(index).toLowerCase(), name.slice(0, 3), String(fullYear)];
  const twoDigits = years.slice(-2);
  return [
    code,
    short,
    name,
    years,
    twoDigits,
    `${code}${twoDigits}`,
    `${code}${years.slice(-1)}`,
    `${short}${twoDigits}`,
    `${short}${years}`,
  ];
}

/** The score of a match by the place of the word in the term; 0: no match. */
interface Weight {
  readonly whole: number;
  readonly start: number;
  readonly inside: number;
}

const WEIGHTS = {
  symbol: { whole: 100, start: 50, inside: 20 },
  id: { whole: 90, start: 0, inside: 0 },
  /** A part of the symbol, of the base symbol or of the underlying. */
  part: { whole: 80, start: 45, inside: 15 },
  /** Type, contract month or strike. */
  fact: { whole: 70, start: 40, inside: 0 },
  name: { whole: 60, start: 35, inside: 10 },
} as const satisfies Readonly<Record<string, Weight>>;

export interface Term {
  readonly text: string;
  readonly weight: Weight;
}

/** Other names that traders use for a type. */
export const TYPE_NAMES: Readonly<Record<string, readonly string[]>> = {
  perpetual: ['perpetual', 'perpetuals', 'perps', 'swap', 'swaps'],
  future: ['future', 'futures'],
  option: ['option', 'options'],
  spread: ['spread', 'spreads', 'calendar', 'calendars'],
};

export interface TermContext {
  readonly findById: FindById;
  readonly underlyingNames: ReadonlyMap<string, string>;
}

/** Lists all terms by which a product can be found. */
export function toTerms(product: DeskProduct, { findById, underlyingNames }: TermContext): readonly Term[] {
  const {
    product_id: id,
    symbol = '',
    base_symbol: base,
    contract_size_unit: unit,
    product_name: name = '',
    type = '',
    option_type: right,
  } = product;
  const currency = product.price_quotation_unit?.split(' ')[0];
  const pair = unit === undefined || currency === undefined ? undefined : unit + currency;
  const parts = [
    ...(symbol.includes('-') ? symbol.split('-') : []),
    base,
    ...spellUnit(unit),
    pair,
    underlyingNames.get(unit ?? ''),
  ];
  const facts = [
    ...(TYPE_NAMES[type] ?? [type]),
    ...(right === undefined ? [] : [right, `${right}s`]),
    ...toMonthNames(product, findById),
    toStrike(product, findById),
    currency,
  ];
  return [
    ...toWeighted(type === 'perpetual' ? [symbol] : [symbol, symbol.replaceAll(YEAR, '$1$2')], WEIGHTS.symbol),
    ...toWeighted([String(toNumber(id))], WEIGHTS.id),
    ...toWeighted(parts, WEIGHTS.part),
    ...toWeighted(facts, WEIGHTS.fact),
    ...toWeighted(name.split(/[\s-]+/), WEIGHTS.name),
  ];
}

/** The year of a contract month in a symbol, such as 26 in `BUSZ26-C120000`. Many people type only its last digit. */
const YEAR = /([FGHJKMNQUVXZ])\d(\d)(?=-|$)/g;

/** Codes that other exchanges use for an underlying. */
const OTHER_CODES: Readonly<Record<string, string>> = { BTC: 'XBT' };

function spellUnit(unit: string | undefined): readonly (string | undefined)[] {
  return [unit, OTHER_CODES[unit ?? '']];
}

function toWeighted(texts: readonly (string | undefined)[], weight: Weight): readonly Term[] {
  return texts.flatMap((text = '') => (text === '' ? [] : [{ text: text.toLowerCase(), weight }]));
}

function toStrike(product: DeskProduct, findById: FindById): string | undefined {
  const underlying =
    product.underlying_product === undefined ? undefined : findById(toNumber(product.underlying_product));
  const [ticks, increment] = [wireText(product, 'strike_price'), underlying && wireText(underlying, 'price_increment')];
  return typeof ticks === 'string' && typeof increment === 'string'
    ? toDecimal(ticks).times(toDecimal(increment)).toString()
    : undefined;
}

/**
 * Finds the name of each underlying, such as Bitcoin for BTC: the first words of its products' names, up to the first
 * word that most underlyings share. With too few underlyings, there are none.
 */
export function findUnderlyingNames(products: readonly DeskProduct[]): ReadonlyMap<string, string> {
  const byUnit = Map.groupBy(products, ({ contract_size_unit: unit }) => unit ?? '');
  if (byUnit.size < 2) return new Map();
  const names = new Map(
    [...byUnit].map(([unit, members]) => [unit, members.map(({ product_name: name = '' }) => toNameWords(name))]),
  );
  const units = [...names.values()].flatMap((all) => [...new Set(all.flat())]);
  const shared = new Set(
    [...Map.groupBy(units, (word) => word)].flatMap(([word, { length }]) => (length * 2 > byUnit.size ? [word] : [])),
  );
  return new Map([...names].map(([unit, [words = []]]) => [unit, takeUntil(words, shared).join(' ')]));
}

function toNameWords(name: string): readonly string[] {
  const words = name.toLowerCase().split(/\s+/);
  return words[0] === 'perpetual' ? words.slice(1) : words;
}

function takeUntil(words: readonly string[], shared: ReadonlySet<string>): readonly string[] {
  const end = words.findIndex((word) => shared.has(word));
  return end === -1 ? [] : words.slice(0, end);
}
