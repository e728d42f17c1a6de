import { wireText } from '#contract/exchange/row-notes.ts';
import type { Order } from '#contract/exchange/order.ts';

/** A number of similar orders, most of which were probably sent by mistake. */
interface Tally {
  /** Current number of other orders in the same tally. */
  readonly others: number;
}

/** The orders that an order repeats. */
export interface Repetition {
  /** Orders with the same account, product, side and price. */
  readonly duplicates: Tally;
  /** Orders that have the same quantity as well. */
  readonly twins: Tally;
}

/** Counts similar orders while orders come and go. */
export interface RepetitionCount {
  readonly add: (order: Order) => Repetition;
  readonly remove: (order: Order) => void;
}

export function createRepetitionCount(): RepetitionCount {
  const [duplicates, twins] = [createTallies(), createTallies()];
  return {
    add: (order) => {
      const key = toKey(order);
      return { duplicates: duplicates.add(key), twins: twins.add(toTwinKey(key, order)) };
    },
    remove: (order) => {
      const key = toKey(order);
      duplicates.remove(key);
      twins.remove(toTwinKey(key, order));
    },
  };
}

function createTallies() {
  const tallies = new Map<string, { others: number }>();
  return {
    add: (key: string): Tally => {
      const tally = tallies.get(key) ?? { others: -1 };
      tally.others += 1;
      tallies.set(key, tally);
      return tally;
    },
    remove: (key: string): void => {
      const tally = tallies.get(key);
      if (tally === undefined) return;
      tally.others -= 1;
      if (tally.others < 0) tallies.delete(key);
    },
  };
}

function toKey(order: Order): string {
  return `${order.account_id}\n${String(order.product_id)}\n${order.side}\n${wireText(order, 'price')}`;
}

function toTwinKey(key: string, order: Order): string {
  return `${key}\n${wireText(order, 'quantity_requested') ?? ''}`;
}
