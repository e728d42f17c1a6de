import { formatNumber, NO_VALUE, UNIT_NAMES } from '../format/number.ts';
import type { Source } from '../response.ts';
import { toMillis } from '../time/session.ts';
import type { Quantity } from '../units/quantity.ts';
import { toContracts, toPrice, toTicks } from './order-figures.ts';
import { isCounted, type OrderRow, toOrderStatus } from './order-row.ts';
import type { OrderTerms } from './order-terms.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskJournalOrder, OrderChange } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import { wireText } from '#contract/exchange/row-notes.ts';

/** Everything that the journal knows about one order. */
export type OrderLife = Pick<DeskJournalOrder, 'kept_from' | 'read_to' | 'before' | 'changes'>;

/** One change in the life of an order. `kept`: it was already working when the journal began. */
export interface LifeChange {
  readonly kind: OrderChange['kind'] | 'kept';
  /** The last reading before the change; null: there was none. */
  readonly readAfter: Instant | null;
  readonly readBy: Instant;
  /** The order as last seen before the change, even if it was gone in between; null if it had never been seen. */
  readonly before: Order | null;
  readonly order: Order;
  /** Fields that changed, by their names on the wire. */
  readonly fields: readonly string[];
  /** Time since the reading that showed the previous change; null for the first change. */
  readonly sinceMs: number | null;
}

/** Lists the changes of an order, oldest first, each compared with the previous one. */
export function toLifeChanges({ kept_from: keptFrom, before, changes }: OrderLife): readonly LifeChange[] {
  const life: LifeChange[] = [];
  if (before !== null && keptFrom !== null)
    life.push({
      kind: 'kept',
      readAfter: null,
      readBy: keptFrom,
      before: null,
      order: before,
      fields: [],
      sinceMs: null,
    });
  for (const { kind, read_after: readAfter, read_by: readBy, fields, order } of changes) {
    const last = life.at(-1) ?? null;
    life.push({
      kind,
      readAfter,
      readBy,
      before: last?.order ?? null,
      order,
      fields: kind === 'changed' ? fields : findDifferences(last?.order ?? null, order),
      sinceMs: last && toMillis(readBy) - toMillis(last.readBy),
    });
  }
  return life;
}

/** The fields that matter for an order that returned, or that the order history shows. */
const COMPARED = ['price', 'quantity_requested', 'quantity_filled'] as const;

function findDifferences(before: Order | null, order: Order): readonly string[] {
  return before === null ? [] : COMPARED.filter((field) => wireText(before, field) !== wireText(order, field));
}

/** The quantities from one reading on, as floats for a chart; null if one is withheld. */
export interface LifeStep {
  readonly at: number;
  readonly filled: number | null;
  readonly requested: number | null;
}

/** A period in which an order was working, in epoch milliseconds. */
export interface LifeSpan {
  readonly steps: readonly LifeStep[];
  readonly end: number;
  /** Whether the order is still working, as far as is known. */
  readonly isOpen: boolean;
}

/** The life of an order on a time axis. */
export interface LifeLine {
  readonly start: number;
  readonly end: number;
  /** The largest order quantity over the life of the order. */
  readonly most: number;
  readonly spans: readonly LifeSpan[];
  /** The readings that showed a changed price. */
  readonly priceChanges: readonly number[];
}

/** Returns null if the journal has no period in which the order was working. */
export function toLifeLine(changes: readonly LifeChange[], readTo: Instant | null): LifeLine | null {
  const spans = [
    ...changes.filter(({ kind }) => kind === 'passed').map(({ order }) => toPassedSpan(order)),
    ...toSpans(
      changes.filter(({ kind }) => kind !== 'passed'),
      readTo,
    ),
  ];
  const [first, last] = [spans[0]?.steps[0], spans.at(-1)];
  if (first === undefined || last === undefined) return null;
  const most = Math.max(1, ...changes.map(({ order }) => (isCounted(order) ? toNumber(order.quantity_requested) : 0)));
  const priceChanges = changes.filter(({ fields }) => fields.includes('price')).map(({ readBy }) => toMillis(readBy));
  return { start: first.at, end: last.end, most, spans, priceChanges };
}

function toSpans(changes: readonly LifeChange[], readTo: Instant | null): readonly LifeSpan[] {
  const spans: LifeSpan[] = [];
  let steps: LifeStep[] = [];
  const close = (end: number, isOpen: boolean): void => {
    if (steps.length > 0) spans.push({ steps, end, isOpen });
    steps = [];
  };
  for (const [place, { kind, readBy, order }] of changes.entries()) {
    const at = toMillis(readBy);
    const next = changes[place + 1];
    // The order had not gone after all.
    if (kind === 'gone' && next?.kind === 'returned') continue;
    if (kind === 'gone') {
      // The last fill happened when the order was gone, even if the order history was read much later.
      if (steps.length > 0 && next?.kind === 'ended') addStep(steps, toStep(at, next.order));
      close(at, false);
    } else if (kind !== 'ended') {
      addStep(steps, toStep(at, order));
    }
  }
  const latest = Math.max(steps.at(-1)?.at ?? 0, readTo === null ? 0 : toMillis(readTo));
  close(latest, true);
  return spans;
}

/** The order was working from its acceptance to its last change, by the exchange’s clock. */
function toPassedSpan(order: Order): LifeSpan {
  const at = toMillis(order.time);
  return { steps: [toStep(at, order)], end: Math.max(at, toMillis(order.last_modified ?? order.time)), isOpen: false };
}

function addStep(steps: LifeStep[], step: LifeStep): void {
  const last = steps.at(-1);
  if (last?.filled !== step.filled || last.requested !== step.requested) steps.push(step);
}

function toStep(at: number, { quantity_filled: filled, quantity_requested: requested }: Order): LifeStep {
  return { at, filled: filled && toNumber(filled), requested: requested && toNumber(requested) };
}

/** Returns whether an order is gone without its outcome being known. */
export function isUnexplained(changes: readonly LifeChange[]): boolean {
  return changes.at(-1)?.kind === 'gone';
}

/** Names a change: `First seen`. Null if its fields describe it. */
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
    case 'passed':
      return `Came and went between two readings, from order history: ${toOrderStatus(order).label}`;
    case 'returned':
      return 'Listed again: it had not gone';
    default:
      return kind;
  }
}

/**
 * A field of a change, such as `Price` with `120 → 125 ticks`, and its figures with their provenance. A text has no
 * figures.
 */
export interface LifePhrase {
  readonly name: string;
  readonly text: string;
  /** The figure before the change, if known, and the figure after it. */
  readonly figures: readonly Quantity[];
}

/** How the figures of a change are converted, and the response that contained them. */
export interface LifeContext {
  readonly terms: OrderTerms;
  readonly source: Source;
}

/** Describes a change field by field. The first time an order is seen, these are its price and quantities. */
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

/** Puts the fields that matter most first; the others keep their order. */
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

/** Describes a price in USD where it can be converted, otherwise in ticks as published. */
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

/** Joins texts; equal ones are shown once. */
function join(texts: readonly string[]): string {
  return [...new Set(texts)].join(' → ');
}

function format({ value, withheld }: Quantity, digits?: number): string {
  return withheld === null ? formatNumber(value, { digits }) : 'n/a';
}
