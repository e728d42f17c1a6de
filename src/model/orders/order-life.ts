import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskJournalOrder, OrderChange } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { toMillis } from '../time/session.ts';
import { isCounted } from './order-quantities.ts';

/** All that the journal knows of one order. */
export type OrderLife = Pick<DeskJournalOrder, 'kept_from' | 'read_to' | 'before' | 'changes'>;

/** One change in the life of an order. `kept`: it was working already when the journal begins. */
export interface LifeChange {
  readonly kind: OrderChange['kind'] | 'kept';
  /** The change happened after it; null: there was no reading before. */
  readonly readAfter: Instant | null;
  readonly readBy: Instant;
  /** The order as it was last, also before it was gone; null if it had never been seen. */
  readonly before: Order | null;
  readonly order: Order;
  /** Fields that changed, by their names on the wire. */
  readonly fields: readonly string[];
  /** From the reading that showed the change before; null for the first. */
  readonly sinceMs: number | null;
}

/** The changes of an order, the oldest first, each compared with the one before. */
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

/** What people look for in an order that is back, or that the order history shows. */
const COMPARED = ['price', 'quantity_requested', 'quantity_filled'] as const;

function findDifferences(before: Order | null, order: Order): readonly string[] {
  return before === null ? [] : COMPARED.filter((field) => wireText(before, field) !== wireText(order, field));
}

/** The quantities from one reading on, as floats for a chart; null where one is withheld. */
export interface LifeStep {
  readonly at: number;
  readonly filled: number | null;
  readonly requested: number | null;
}

/** A time for which an order was working, in epoch milliseconds. */
export interface LifeSpan {
  readonly steps: readonly LifeStep[];
  readonly end: number;
  /** It is working still, as far as is known. */
  readonly isOpen: boolean;
}

/** The life of an order along the axis of time. */
export interface LifeLine {
  readonly start: number;
  readonly end: number;
  /** The largest order quantity that it had. */
  readonly most: number;
  readonly spans: readonly LifeSpan[];
  /** The readings that showed another price. */
  readonly priceChanges: readonly number[];
}

/** Null where the journal has no time for which the order was working. */
export function toLifeLine(changes: readonly LifeChange[], readTo: Instant | null): LifeLine | null {
  const spans = toSpans(changes, readTo);
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
    // It had not gone.
    if (kind === 'gone' && next?.kind === 'returned') continue;
    if (kind === 'gone') {
      // What filled last was filled when the order was gone, however much later the order history was read.
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

function addStep(steps: LifeStep[], step: LifeStep): void {
  const last = steps.at(-1);
  if (last?.filled !== step.filled || last.requested !== step.requested) steps.push(step);
}

function toStep(at: number, { quantity_filled: filled, quantity_requested: requested }: Order): LifeStep {
  return { at, filled: filled && toNumber(filled), requested: requested && toNumber(requested) };
}

/** Whether an order is gone, and how it closed is not known. */
export function isUnexplained(changes: readonly LifeChange[]): boolean {
  return changes.at(-1)?.kind === 'gone';
}
