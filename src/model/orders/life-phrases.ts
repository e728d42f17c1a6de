import { formatNumber, NO_VALUE } from '../format/number.ts';
import { UNIT_NAMES } from '../format/quantity.ts';
import type { Source } from '../source.ts';
import { toMillis } from '../time/session.ts';
import type { Quantity } from '../units/quantity.ts';
import { toContracts, toPrice, toTicks } from './order-figures.ts';
import type { LifeChange } from './order-life.ts';
import type { OrderRow } from './order-row.ts';
import { toOrderStatus } from './order-status.ts';
import type { OrderTerms } from './order-terms.ts';

/** What a change is called: `First seen`. Null where the fields say it. */
export function nameChange({ kind, readAfter, before, order, fields }: LifeChange): string | null {
  switch (kind) {
    case 'kept':
      return 'Working when the journal began';
    case 'seen':
      if (before !== null) return 'Seen again';
      return readAfter === null ? 'First seen when the journal began' : 'First seen';
    case 'changed':
      return fields.some(isShown) ? null : 'Changed';
    case 'gone':
      return 'No longer working';
    case 'ended':
      return toOrderStatus(order).label;
    case 'returned':
      return 'Listed again: it had not gone';
    default:
      return kind;
  }
}

/** A field of a change: `Price`, `120 → 125 ticks`, and the figures with their provenance; no figures for a text. */
export interface LifePhrase {
  readonly name: string;
  readonly text: string;
  /** As it was, if it was seen, and as it is. */
  readonly figures: readonly Quantity[];
}

/** How the figures of a change are converted, and the response they came with. */
export interface LifeContext {
  readonly terms: OrderTerms;
  readonly source: Source;
}

/** What changed, field by field; of an order that was seen for the first time, its price and quantities. */
export function describeChange(change: LifeChange, context: LifeContext): readonly LifePhrase[] {
  const { before, order, kind, fields, readBy } = change;
  if (kind === 'gone') return [];
  const rows = [...(before === null ? [] : [before]), order].map((one): OrderRow => ({
    ...context,
    order: one,
    asOf: toMillis(readBy),
  }));
  if (before === null) return [describePrice('Price', 'price', rows), describeFilled(rows)];
  if (kind === 'ended') return [{ ...describeFilled(rows), name: 'Filled qty' }];
  return fields
    .filter(isShown)
    .sort(byImportance)
    .map((field) => describeField(field, rows));
}

const FIRST: readonly string[] = ['price', 'quantity_filled', 'quantity_requested', 'avg_price'];

/** What people look for first; any others after it, as they came. */
function byImportance(a: string, b: string): number {
  const [left, right] = [a, b].map((field) => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length));
  return (left ?? 0) - (right ?? 0);
}

function isShown(field: string): boolean {
  return field !== 'last_modified';
}

const NAMES: Readonly<Record<string, string>> = {
  status: 'Status',
  time_in_force: 'Time in force',
  account_id: 'Account',
  clearing_firm_code: 'Clearing firm',
  connection_id: 'Connection',
  side: 'Side',
};

function describeField(field: string, rows: readonly OrderRow[]): LifePhrase {
  switch (field) {
    case 'price':
      return describePrice('Price', field, rows);
    case 'avg_price':
      return describePrice('Avg price', field, rows);
    case 'quantity_filled':
      return describeFilled(rows);
    case 'quantity_requested': {
      const figures = rows.map((row) => toContracts(row, field));
      return { name: 'Quantity', text: `${join(figures.map((figure) => format(figure)))} contracts`, figures };
    }
    default: {
      const texts = rows.map(({ order }) => (order as Readonly<Record<string, unknown>>)[field]);
      return {
        name: NAMES[field] ?? field,
        text: join(
          texts.map((text) => (typeof text === 'string' || typeof text === 'number' ? String(text) : NO_VALUE)),
        ),
        figures: [],
      };
    }
  }
}

/** In USD where the prices are known in USD, else in ticks, which are as published. */
function describePrice(name: string, field: 'price' | 'avg_price', rows: readonly OrderRow[]): LifePhrase {
  const isUsd = rows.every(({ terms: { conversion } }) => conversion?.withheld === null);
  const figures = rows.map((row) => (isUsd ? toPrice(row, field) : toTicks(row, field)));
  const digits = isUsd ? rows[0]?.terms.digits : undefined;
  return {
    name,
    text: `${join(figures.map((figure) => format(figure, digits)))} ${UNIT_NAMES[isUsd ? 'USD' : 'ticks']}`,
    figures,
  };
}

function describeFilled(rows: readonly OrderRow[]): LifePhrase {
  const figures = rows.map((row) => toContracts(row, 'quantity_filled'));
  const requested = rows.slice(-1).map((row) => format(toContracts(row, 'quantity_requested')));
  return { name: 'Filled', text: `${join(figures.map((figure) => format(figure)))} of ${join(requested)}`, figures };
}

/** Equal texts stand once. */
function join(texts: readonly string[]): string {
  return [...new Set(texts)].join(' → ');
}

function format({ value, withheld }: Quantity, digits?: number): string {
  return withheld === null ? formatNumber(value, { digits }) : 'n/a';
}
