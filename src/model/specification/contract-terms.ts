import { toNumber } from '#contract/exchange/brand.ts';
import { isDay } from '#contract/exchange/day.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { formatDay } from '../format/day.ts';
import { formatNumber } from '../format/number.ts';
import { nameProduct } from '../products/name-product.ts';
import { byIncrement } from '../units/conversions.ts';
import { toDecimal } from '../units/decimal.ts';
import { toQuantity } from '../units/quantity.ts';
import { formatExpiryTime, formatTimeLeft, isInHours, toDaysLeft, toExpiry, toHoursLeft } from '../products/expiry.ts';
import { toMissing, toTerm, withhold, type Term, type TermContext } from './term.ts';

type ReadTerm = (product: DeskProduct, context: TermContext) => Term;

/** The terms of a contract, by name. */
export const TERMS = {
  expiry: ofExpiring(readExpiry),
  daysLeft: ofExpiring((product, context) => readTimeLeft(product, context, toDaysLeft)),
  hoursLeft: ofExpiring((product, context) => readTimeLeft(product, context, toHoursLeft)),
  firstDay: ofExpiring((product, context) =>
    toTerm(product, 'first_trading_day', context, (raw) => ({
      text: isDay(raw) ? formatDay(raw) : raw,
      value: raw,
      unit: 'date',
    })),
  ),
  right: only('option', (product, context) => toTerm(product, 'option_type', context, asText)),
  strike: only('option', readStrike),
  underlyingProduct: only('option', (product, context) =>
    toTerm(product, 'underlying_product', context, (raw) => ({
      text: nameOf(Number(raw), context),
      unit: 'product ID',
    })),
  ),
  legs: only('spread', (product, context) =>
    toTerm(product, 'legs', context, () => ({
      text: nameLegs(product, context, signed),
      value: nameLegs(product, context, String),
      unit: 'product IDs and weights',
    })),
  ),
  contractSize: readContractSize,
  tickSize: readTickSize,
  opens: (product, context) => toTerm(product, 'daily_open_time', context, asClock),
  settles: (product, context) => toTerm(product, 'daily_settle_time', context, asClock),
  hours: readHours,
} as const satisfies Readonly<Record<string, ReadTerm>>;

export type TermName = keyof typeof TERMS;

export function asText(raw: string) {
  return { text: raw, unit: 'text' };
}

/** Seconds are shown only where there are any. */
function asClock(raw: string) {
  return { text: raw.replace(/^(\d\d:\d\d):00$/, '$1'), value: raw, unit: 'time of day in Chicago' };
}

const PLURALS = { option: 'Applies to options only.', spread: 'Applies to spreads only.' } as const;

/** A term of one type of product. A product of an unknown type may have it. */
function only(type: keyof typeof PLURALS, read: ReadTerm): ReadTerm {
  return (product, context) =>
    product.type === undefined || product.type === type ? read(product, context) : toMissing(PLURALS[type]);
}

function ofExpiring(read: ReadTerm): ReadTerm {
  return (product, context) =>
    product.type === 'perpetual' ? toMissing('A perpetual does not expire.') : read(product, context);
}

function readExpiry(product: DeskProduct, context: TermContext): Term {
  const expiry = toExpiry(product, context.now);
  if (expiry === null) return toMissing();
  const computed = 'Day of the final settlement in Chicago, the last trading day.';
  return toTerm(product, 'final_settle_time', context, () => ({
    text: formatDay(expiry.day),
    value: expiry.at,
    unit: 'time in UTC',
    computed,
  }));
}

/** `toCount`: in which unit a file counts what is left. */
function readTimeLeft(product: DeskProduct, context: TermContext, toCount: (msLeft: number) => number): Term {
  const expiry = toExpiry(product, context.now);
  if (expiry === null) return toMissing();
  const { msLeft } = expiry;
  if (msLeft === null) return toMissing('The exchange’s time is not known yet, so days are not counted.');
  const computed = `Time until the final settlement: ${formatExpiryTime(expiry)}. In days of 24 hours; under three days, in hours.`;
  return toTerm(product, 'final_settle_time', context, () => ({
    text: isInHours(msLeft) ? formatTimeLeft(msLeft) : String(toDaysLeft(msLeft)),
    value: toCount(msLeft),
    unit: 'time in UTC',
    computed,
  }));
}

/** In ticks of the product that it is on, and so converted by the tick size of that. */
function readStrike(product: DeskProduct, context: TermContext): Term {
  const { underlying_product: id, strike_price: strike } = product;
  const raw = toTerm(product, 'strike_price', context, (text) => ({ text, unit: 'ticks of the underlying product' }));
  if (strike === undefined) return raw;
  const underlying = id === undefined ? undefined : context.find(toNumber(id));
  const check = underlying === undefined ? null : context.checkOf(underlying);
  const conversion = underlying === undefined ? null : byIncrement(underlying, check?.reason ?? null);
  if (conversion === null)
    return withhold(
      raw,
      'The tick size of the underlying product is not published, so the strike, which is in its ticks, is not converted.',
    );
  const { value, withheld, provenance } = toQuantity(
    { source: context.products, dataTime: null },
    product,
    'strike_price',
    conversion,
  );
  const read = provenance.kind === 'read' ? { ...provenance, wireUnit: 'ticks of the underlying product' } : null;
  const term = { ...raw, provenance: read, unit: 'USD', check };
  return value === null ? withhold(term, withheld) : { ...term, text: formatNumber(value), value: value.toFixed() };
}

function readContractSize(product: DeskProduct, context: TermContext): Term {
  const unit = product.contract_size_unit;
  return toTerm(product, 'contract_size', context, (raw) => ({
    text: [formatNumber(toDecimal(raw)), unit].join(' ').trim(),
    value: toDecimal(raw).toFixed(),
    unit: unit ?? 'units of the underlying',
  }));
}

/** Withheld where it does not turn ticks into the exchange's own USD prices. */
function readTickSize(product: DeskProduct, context: TermContext): Term {
  const check = context.checkOf(product);
  const term = {
    ...toTerm(product, 'price_increment', context, (raw) => ({
      text: formatNumber(toDecimal(raw)),
      value: toDecimal(raw).toFixed(),
      unit: 'USD per unit of the underlying',
    })),
    check,
  };
  const reason = check?.reason ?? null;
  return term.text === null || reason === null ? term : withhold(term, reason);
}

/** A dated contract's session opens on the evening before its date. */
function readHours(product: DeskProduct, context: TermContext): Term {
  const [opens, settles] = [TERMS.opens(product, context), TERMS.settles(product, context)];
  if (opens.text === null || settles.text === null) return opens.text === null ? opens : settles;
  return {
    ...opens,
    text: `${opens.text}–${settles.text}`,
    value: `${String(opens.value)}–${String(settles.value)}`,
    computed: `Opens at ${opens.text}, settles at ${settles.text}, Chicago time.`,
  };
}

export function nameOf(id: number, { find }: TermContext): string {
  const product = find(id);
  return product === undefined ? `product ${String(id)}` : nameProduct(product);
}

/** `+1 BUSX26, −1 BUSZ26`. */
function nameLegs({ legs = [] }: DeskProduct, context: TermContext, formatWeight: (weight: number) => string): string {
  return legs
    .map(({ product_id: id, weight }) => `${formatWeight(weight)} ${nameOf(toNumber(id), context)}`)
    .join(', ');
}

function signed(weight: number): string {
  return formatNumber(toDecimal(String(weight)), { signed: true });
}
