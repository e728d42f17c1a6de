import type { DeskProduct, DeskProducts } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { NO_VALUE } from '../format/number.ts';
import { describeRead, type FormatTime, type ProvenanceLine } from '../format/provenance.ts';
import type { IncrementCheck } from '../checks/increment-check.ts';
import { describeCheck } from '../checks/describe-check.ts';
import type { Sourced } from '../source.ts';
import type { ReadProvenance } from '../units/quantity.ts';

/** What the terms of a product are read with. */
export interface TermContext {
  readonly products: Sourced<DeskProducts>;
  /** Epoch milliseconds by the exchange's clock; null: its time is unknown. */
  readonly now: number | null;
  readonly find: (productId: number) => DeskProduct | undefined;
  /** Whether a product's tick size is right; null: it cannot be known. */
  readonly checkOf: (product: DeskProduct) => IncrementCheck | null;
}

/** One term of a contract, as its specification gives it. */
export interface Term {
  /** Null: there is none, or it is withheld. */
  readonly text: string | null;
  /** What it sorts by, and what a file holds. */
  readonly value: string | number | null;
  /** Why there is no text; null where there is one. */
  readonly missing: string | null;
  readonly isWithheld: boolean;
  /** Null where nothing was published. */
  readonly provenance: ReadProvenance | null;
  /** Unit of the value after conversion. */
  readonly unit: string;
  /** How it was computed from the field; null where it was not. */
  readonly computed: string | null;
  /** The check of the tick size that it depends on. */
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

/** The term without its value, which failed a check. */
export function withhold(term: Term, reason: string | null): Term {
  return { ...term, text: null, value: null, missing: reason, isWithheld: true };
}

type Shown = Pick<Term, 'text'> & Partial<Omit<Term, 'provenance'>>;

/** A term read from one field, shown as `show` makes of its raw text; missing where the field is. */
export function toTerm(
  product: DeskProduct,
  field: keyof DeskProduct,
  { products }: TermContext,
  show: (raw: string) => Shown,
): Term {
  const raw = toRaw(product, field);
  if (raw === null) return toMissing();
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

function toRaw(product: DeskProduct, field: keyof DeskProduct): string | null {
  if (product[field] === undefined) return null;
  return field === 'legs' ? JSON.stringify(product.legs) : String(wireText(product, field));
}

/** As a cell shows it: while the tick size that it depends on is not checked yet, it is not withheld for good. */
export function showTerm({ text, isWithheld, check }: Term): string {
  if (text !== null) return text;
  if (!isWithheld) return NO_VALUE;
  return check?.verdict === 'pending' ? '…' : 'n/a';
}

/** Where a term comes from, line by line; why it is missing where it is. */
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
