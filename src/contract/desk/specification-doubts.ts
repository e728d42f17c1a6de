import { parseProductId } from '../exchange/ids.ts';
import type { DeskProduct } from './desk.ts';

/** A product as the exchange specifies it; fields may be missing or of any type. */
type Spec = Readonly<Record<string, unknown>>;

/** Why a term of a specification is not to be believed. */
type SpecificationDoubt = NonNullable<DeskProduct['doubts']>[number];

/**
 * A comparison of a product's term with its own symbol or with another of its terms. What to expect is learnt from the
 * others: exchanges differ in how they write symbols, but each is consistent.
 */
interface Check {
  readonly field: string;
  /** The products that are expected to be alike. */
  readonly groupOf: (spec: Spec) => string;
  /** Null if the product cannot be compared. */
  readonly traitOf: (spec: Spec, list: Listed) => string | number | boolean | null;
  readonly explain: (spec: Spec, list: Listed) => string;
}

interface Listed {
  readonly find: (id: unknown) => Spec | undefined;
  /** Whether contracts of some product are of this unit. */
  readonly isUnit: (word: string) => boolean;
  /** The final settlement that nearly all products of a type and contract month have; undefined if they have none. */
  readonly findSettlement: (spec: Spec) => string | undefined;
}

const MONTH_CODES = 'FGHJKMNQUVXZ';
const MONTHS_PER_YEAR = 12;
const CENTURY = 2_000;

/** A longer text names nothing, and would make the sentences about it and about other products as long. */
const LONGEST_TERM = 200;

/** Returns a term to compare; empty if there is none. */
const textOf = (spec: Spec | undefined, field: string): string => {
  const value = spec?.[field];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length > LONGEST_TERM ? '' : text;
};
const byType = (spec: Spec): string => textOf(spec, 'type');
const bySeries = (spec: Spec): string => `${byType(spec)} ${textOf(spec, 'base_symbol')}`;

interface SymbolMonth {
  /** Such as `Z26`. */
  readonly code: string;
  /** Counted from the year 0. */
  readonly month: number;
  /** What follows the contract month, such as `P114000`. */
  readonly rest: string;
}

/** Reads the contract month in a symbol that begins with its series. */
function toParts(spec: Spec): SymbolMonth | null {
  const [symbol, base] = [textOf(spec, 'symbol'), textOf(spec, 'base_symbol')];
  if (byType(spec) === 'perpetual' || base === '' || !symbol.startsWith(base)) return null;
  const [code, letter = '', year = '', rest = ''] =
    /^([FGHJKMNQUVXZ])(\d\d)(?:-(.*))?$/.exec(symbol.slice(base.length)) ?? [];
  if (code === undefined) return null;
  return {
    code: letter + year,
    month: (CENTURY + Number(year)) * MONTHS_PER_YEAR + MONTH_CODES.indexOf(letter),
    rest,
  };
}

/** Returns the number and the letter at the end of an option's symbol, such as 114000 and P. */
function toRight(spec: Spec): readonly [letter: string, strike: number] | null {
  const [, letter, strike] = /^([CP])(\d+(?:\.\d+)?)$/.exec(toParts(spec)?.rest ?? '') ?? [];
  return letter === undefined || byType(spec) !== 'option' ? null : [letter, Number(strike)];
}

function toSettlementMonth(spec: Spec): number | null {
  const [, year, month] = /^(\d{4})-(\d\d)-/.exec(textOf(spec, 'final_settle_time')) ?? [];
  return year === undefined ? null : Number(year) * MONTHS_PER_YEAR + Number(month) - 1;
}

function toStrike(spec: Spec, { find }: Listed): number | null {
  const [ticks, size] = [spec['strike_price'], find(spec['underlying_product'])?.['price_increment']];
  return typeof ticks === 'number' && typeof size === 'number' && ticks > 0 && size > 0 ? ticks * size : null;
}

/** Spreads have two to four. */
const MOST_LEGS = 8;

/** Returns no legs if they are too many to compare. */
function legsOf(spec: Spec): readonly Spec[] {
  const legs: unknown = spec['legs'];
  return Array.isArray(legs) && legs.length <= MOST_LEGS
    ? legs.filter((leg): leg is Spec => typeof leg === 'object' && leg !== null)
    : [];
}

function nameLegs(spec: Spec, { find }: Listed): string {
  return legsOf(spec)
    .map((leg) => `${textOf(leg, 'weight')} ${textOf(find(leg['product_id']), 'symbol')}`)
    .join(', ');
}

const PRECISION = 6;
const symbolOf = (spec: Spec): string => textOf(spec, 'symbol');

const CHECKS: readonly Check[] = [
  {
    field: 'symbol',
    groupOf: byType,
    traitOf: (spec) =>
      textOf(spec, 'base_symbol') === '' || symbolOf(spec) === ''
        ? null
        : symbolOf(spec).toLowerCase().includes(textOf(spec, 'base_symbol').toLowerCase()),
    explain: (spec) => `The symbol ${symbolOf(spec)} is of another series than ${textOf(spec, 'base_symbol')}.`,
  },
  {
    field: 'product_name',
    groupOf: byType,
    traitOf: (spec) => {
      const code = toParts(spec)?.code;
      return code === undefined || textOf(spec, 'product_name') === ''
        ? null
        : textOf(spec, 'product_name').includes(code);
    },
    explain: (spec) => `The name of ${symbolOf(spec)} is “${textOf(spec, 'product_name')}”.`,
  },
  {
    field: 'final_settle_time',
    groupOf: bySeries,
    traitOf: (spec) => {
      const [settles, parts] = [toSettlementMonth(spec), toParts(spec)];
      return settles === null || parts === null ? null : settles - parts.month;
    },
    explain: (spec) =>
      `The symbol says ${String(toParts(spec)?.code)}, but the final settlement is ${textOf(spec, 'final_settle_time')}.`,
  },
  {
    field: 'final_settle_time',
    groupOf: bySeries,
    traitOf: (spec, { findSettlement }) => {
      const usual = findSettlement(spec);
      return usual === undefined ? null : textOf(spec, 'final_settle_time') === usual;
    },
    explain: (spec, { findSettlement }) =>
      `The final settlement of ${symbolOf(spec)} is ${textOf(spec, 'final_settle_time')}, but that of the other ` +
      `series of its month is ${String(findSettlement(spec))}.`,
  },
  {
    field: 'month',
    groupOf: byType,
    traitOf: (spec) => {
      const [parts, month, year] = [toParts(spec), textOf(spec, 'month'), textOf(spec, 'year')];
      return parts === null || month === '' || year === '' ? null : month + year.slice(-2) === parts.code;
    },
    explain: (spec) =>
      `The symbol says ${String(toParts(spec)?.code)}, but the contract month is ` +
      `${textOf(spec, 'month')} ${textOf(spec, 'year')}.`,
  },
  {
    field: 'option_type',
    groupOf: byType,
    traitOf: (spec) => {
      const [right, type] = [toRight(spec), textOf(spec, 'option_type')];
      return right === null || type === '' ? null : type.toUpperCase().startsWith(right[0]);
    },
    explain: (spec) => `The symbol ${symbolOf(spec)} is not that of a ${textOf(spec, 'option_type')}.`,
  },
  {
    field: 'strike_price',
    groupOf: bySeries,
    traitOf: (spec, list) => {
      const [right, strike] = [toRight(spec), toStrike(spec, list)];
      return right === null || strike === null ? null : (strike / right[1]).toPrecision(PRECISION);
    },
    explain: (spec, list) => {
      const usd = Number((toStrike(spec, list) ?? 0).toPrecision(PRECISION)).toLocaleString('en-US');
      return `The symbol ${symbolOf(spec)} has another strike than the ${usd} USD that is published.`;
    },
  },
  {
    field: 'underlying_product',
    groupOf: byType,
    traitOf: (spec, { find }) => {
      const [parts, underlying] = [toRight(spec) && toParts(spec), find(spec['underlying_product'])];
      return parts === null || underlying === undefined
        ? null
        : symbolOf(spec).startsWith(`${textOf(underlying, 'base_symbol')}${parts.code}`) &&
            toParts(underlying)?.code === parts.code;
    },
    explain: (spec, { find }) =>
      `The symbol ${symbolOf(spec)} is not that of an option on ${symbolOf(find(spec['underlying_product']) ?? {})}.`,
  },
  {
    field: 'legs',
    groupOf: byType,
    traitOf: (spec, { find }) => {
      const legs = legsOf(spec);
      if (legs.length === 0 || legs.some((leg) => find(leg['product_id']) === undefined)) return null;
      const names = legs.map((leg) => symbolOf(find(leg['product_id']) ?? {})).join('-');
      return `${String(names === symbolOf(spec))} ${legs.map((leg) => textOf(leg, 'weight')).join(' ')}`;
    },
    explain: (spec, list) => `The legs of ${symbolOf(spec)} are ${nameLegs(spec, list)}.`,
  },
  {
    field: 'contract_size_unit',
    groupOf: byType,
    traitOf: (spec, { isUnit }) => {
      const units = textOf(spec, 'price_quotation_unit').split(/\s+/).filter(isUnit);
      return units.length === 0 ? null : units.includes(textOf(spec, 'contract_size_unit'));
    },
    explain: (spec) =>
      `The contract is of ${textOf(spec, 'contract_size')} ${textOf(spec, 'contract_size_unit')}, but its price is ` +
      `quoted in ${textOf(spec, 'price_quotation_unit')}.`,
  },
];

/** Fewer show no convention. */
const LEAST_ALIKE = 3;
/** More that differ have a convention of their own. */
const MOST_ODD = 2;

/** Finds the few products whose trait differs from that of all others of their group. */
function findOdd(specs: readonly Spec[], { groupOf, traitOf }: Check, list: Listed): readonly Spec[] {
  const traits = specs.flatMap((spec) => {
    const trait = traitOf(spec, list);
    return trait === null ? [] : [{ spec, trait, group: groupOf(spec) }];
  });
  return [...Map.groupBy(traits, ({ group }) => group).values()].flatMap((all) => {
    const usual = findUsual(all, ({ trait }) => trait);
    const odd = all.filter(({ trait }) => trait !== usual);
    // A condition that is usually not met is none.
    const isConvention = usual !== undefined && usual !== false;
    return isConvention && odd.length <= MOST_ODD ? odd.map(({ spec }) => spec) : [];
  });
}

/** Returns the trait that most have; undefined if too few do. */
function findUsual<Item, Trait>(all: readonly Item[], traitOf: (item: Item) => Trait): Trait | undefined {
  const alike = [...Map.groupBy(all, traitOf)].sort(([, a], [, b]) => b.length - a.length);
  const [[usual, { length }] = [undefined, []]] = alike;
  return length >= LEAST_ALIKE && length > 2 * (all.length - length) ? usual : undefined;
}

const toExpiry = (spec: Spec): string => `${byType(spec)} ${toParts(spec)?.code ?? ''}`;

function* findDoubts(specs: readonly Spec[]): Iterable<readonly [Spec, SpecificationDoubt]> {
  const byId = new Map(specs.map((spec) => [spec['product_id'], spec]));
  const units = new Set(specs.map((spec) => textOf(spec, 'contract_size_unit')));
  const dated = specs.filter((spec) => toParts(spec) !== null && textOf(spec, 'final_settle_time') !== '');
  const settlements = new Map(
    [...Map.groupBy(dated, toExpiry)].map(([expiry, all]) => [
      expiry,
      findUsual(all, (spec) => textOf(spec, 'final_settle_time')),
    ]),
  );
  const list: Listed = {
    find: (id) => byId.get(id),
    isUnit: (word) => word !== '' && units.has(word),
    findSettlement: (spec) => settlements.get(toExpiry(spec)),
  };
  for (const check of CHECKS)
    for (const spec of findOdd(specs, check, list))
      yield [spec, { field: check.field, reason: check.explain(spec, list) }];
  const active = specs.filter((spec) => textOf(spec, 'product_status') === 'active' && symbolOf(spec) !== '');
  for (const [symbol, same] of Map.groupBy(active, symbolOf)) {
    if (same.length === 1) continue;
    const doubt = { field: 'symbol', reason: `${symbol} is the symbol of the products ${nameFew(same)}.` };
    for (const spec of same) yield [spec, doubt];
  }
  for (const spec of specs) {
    const [first, last] = [textOf(spec, 'first_trading_day'), textOf(spec, 'final_settle_time').slice(0, DAY_LENGTH)];
    if (first !== '' && last !== '' && first > last)
      yield [
        spec,
        { field: 'first_trading_day', reason: `${symbolOf(spec)} would begin to trade on ${first}, after ${last}.` },
      ];
  }
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const idOf = (spec: Spec): string => textOf(spec, 'product_id');

const MOST_NAMED = 3;

function nameFew(specs: readonly Spec[]): string {
  const more = specs.length - MOST_NAMED;
  const ids = specs.slice(0, MOST_NAMED).map(idOf);
  return new Intl.ListFormat('en-GB').format(more > 0 ? [...ids, `${more.toLocaleString('en-US')} more`] : ids);
}

/** The terms that name a product, which stay: without them it could not be found. */
const NAMES: readonly string[] = ['symbol', 'product_name'];

/**
 * Adds the doubts about each product's specification to it, and removes the terms in doubt, so that nothing is computed
 * from them. Products without a doubt stay as they are.
 */
export function withDoubts(specs: readonly Spec[]): readonly Spec[] {
  const valid = specs.filter((spec) => parseProductId(idOf(spec)) !== null);
  const doubts = Map.groupBy(findDoubts(valid), ([spec]) => spec);
  return doubts.size === 0
    ? specs
    : specs.map((spec) => {
        const own = doubts.get(spec)?.map(([, doubt]) => doubt);
        if (own === undefined) return spec;
        const inDoubt = new Set(own.map(({ field }) => field).filter((field) => !NAMES.includes(field)));
        return {
          ...Object.fromEntries(Object.entries(spec).filter(([field]) => !inDoubt.has(field))),
          doubts: own,
        };
      });
}
