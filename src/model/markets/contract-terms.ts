import type { DeskProduct, DeskProducts } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatNumber, NO_VALUE } from '../format/number.ts';
import { describeRead, type FormatTime, type ProvenanceLine } from '../format/provenance.ts';
import type { IncrementCheck } from '../checks/judge-prices.ts';
import { describeCheck } from '../checks/describe-check.ts';
import type { Sourced } from '../response.ts';
import { byIncrement, type ReadProvenance, toQuantity } from '../units/quantity.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { isDay } from '#contract/exchange/instant.ts';
import { formatDay } from '../format/format-time.ts';
import { nameProduct } from '../products/product-directory.ts';
import { toDecimal } from '../units/decimal.ts';
import { formatExpiryTime, formatTimeLeft, isInHours, toDaysLeft, toExpiry, toHoursLeft } from '../products/expiry.ts';

/** What the terms of a product are computed from. */
export interface TermContext {
  readonly products: Sourced<DeskProducts>;
  /** Epoch milliseconds by the exchange's clock; null while that is unknown. */
  readonly now: number | null;
  readonly find: (productId: number) => DeskProduct | undefined;
  /** Checks a product's tick size; null if that is impossible. */
  readonly checkOf: (product: DeskProduct) => IncrementCheck | null;
}

/** One term of a product's specification. */
export interface Term {
  /** Null if the term is missing or withheld. */
  readonly text: string | null;
  /** The value for sorting and for files. */
  readonly value: string | number | null;
  /** Why there is no text; null if there is one. */
  readonly missing: string | null;
  readonly isWithheld: boolean;
  /** Null if nothing was published. */
  readonly provenance: ReadProvenance | null;
  /** Unit of the converted value. */
  readonly unit: string;
  /** How the value was computed from the field; null if it was not. */
  readonly computed: string | null;
  /** The tick-size check on which the value depends. */
  readonly check: IncrementCheck | null;
}

const NOT_PUBLISHED = 'Not in the exchange’s specification of this product.';

export function toMissing(missing = NOT_PUBLISHED): Term {
  return {
    text: null,
    value: null,
    missing,
    isWithheld: false,
    provenance: null,
    unit: '',
    computed: null,
    check: null,
  };
}

/** Removes the value of a term that failed a check. */
export function withhold(term: Term, reason: string | null): Term {
  return { ...term, text: null, value: null, missing: reason, isWithheld: true };
}

type Shown = Pick<Term, 'text'> & Partial<Omit<Term, 'provenance'>>;

/** A field of a specification. */
export type TermField = Exclude<keyof DeskProduct, 'doubts'>;

/** Returns a term without a value: withheld if the exchange published one that is in doubt, otherwise missing. */
function toUnknown({ doubts = [] }: DeskProduct, field: TermField): Term {
  const doubt = doubts.find((one) => one.field === field);
  return doubt === undefined ? toMissing() : withhold(toMissing(), doubt.reason);
}

/** Reads a term from one field. `show` turns its raw text into a value; a missing field makes the term missing. */
export function toTerm(
  product: DeskProduct,
  field: TermField,
  { products }: TermContext,
  show: (raw: string) => Shown,
): Term {
  const raw = toRaw(product, field);
  if (raw === null) return toUnknown(product, field);
  const shown = { unit: 'text', ...show(raw) };
  const provenance: ReadProvenance = {
    kind: 'read',
    source: products,
    field,
    wireText: raw,
    wireUnit: shown.unit,
    factor: '1',
    spec: null,
    dataTime: null,
  };
  return { ...toMissing(), missing: null, value: shown.text, provenance, ...shown };
}

function toRaw(product: DeskProduct, field: TermField): string | null {
  if (product[field] === undefined) return null;
  return field === 'legs' ? JSON.stringify(product.legs) : String(wireText(product, field));
}

/** Formats a term for a cell. While its tick size is still being checked, the cell shows that it is pending. */
export function showTerm({ text, isWithheld, check }: Term): string {
  if (text !== null) return text;
  if (!isWithheld) return NO_VALUE;
  return check?.verdict === 'pending' ? '…' : 'n/a';
}

/** Describes where a term comes from, line by line, or why it is missing. */
export function describeTerm(
  { missing, isWithheld, provenance, unit, computed, check }: Term,
  formatTime: FormatTime,
): readonly ProvenanceLine[] {
  return [
    ...(missing === null ? [] : [{ name: isWithheld ? 'Not available' : 'Missing', value: missing }]),
    ...(computed === null ? [] : [{ name: 'Computed', value: computed }]),
    ...(provenance === null ? [] : describeRead(provenance, unit, formatTime)),
    ...(check === null ? [] : [{ name: 'Tick size check', value: describeCheck(check) }]),
  ];
}

type ReadTerm = (product: DeskProduct, context: TermContext) => Term;

/** The terms of a product, by name. */
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

/** Hides seconds that are zero. */
function asClock(raw: string) {
  return { text: raw.replace(/^(\d\d:\d\d):00$/, '$1'), value: raw, unit: 'time of day in Chicago' };
}

const PLURALS = { option: 'Applies to options only.', spread: 'Applies to spreads only.' } as const;

/** Restricts a term to one product type. A product of unknown type may have it too. */
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
  if (expiry === null) return toUnknown(product, 'final_settle_time');
  const computed = 'Day of the final settlement in Chicago, the last trading day.';
  return toTerm(product, 'final_settle_time', context, () => ({
    text: formatDay(expiry.day),
    value: expiry.at,
    unit: 'time in UTC',
    computed,
  }));
}

/** `toCount`: counts the time left in the unit that files use. */
function readTimeLeft(product: DeskProduct, context: TermContext, toCount: (msLeft: number) => number): Term {
  const expiry = toExpiry(product, context.now);
  if (expiry === null) return toUnknown(product, 'final_settle_time');
  const { msLeft } = expiry;
  if (msLeft === null) return toMissing('The exchange’s time is not known yet, so days are not counted.');
  const computed =
    `Time until the final settlement: ${formatExpiryTime(expiry)}. In days of 24 hours; ` +
    'under three days, in hours.';
  return toTerm(product, 'final_settle_time', context, () => ({
    text: isInHours(msLeft) ? formatTimeLeft(msLeft) : String(toDaysLeft(msLeft)),
    value: toCount(msLeft),
    unit: 'time in UTC',
    computed,
  }));
}

/** The strike is in ticks of the underlying product, so that product's tick size converts it. */
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
      'The tick size of the underlying product is not published, so the strike, which is in its ticks, ' +
        'is not converted.',
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

/** The tick size is withheld if it does not turn ticks into the exchange's own USD prices. */
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

/** The session of a dated contract opens on the evening before its date. */
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
