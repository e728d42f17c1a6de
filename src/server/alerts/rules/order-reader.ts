import { createParser } from '#contract/parse/parse.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import { Order } from '#contract/exchange/order.ts';
import { list } from '#contract/exchange/schema.ts';
import { createRepetitionCount, type Repetition } from '#model/orders/duplicates.ts';
import { copyOf, NO_ROWS, stepFrom, type KeyedRow, type ListStep, type RowList } from '#server/core/row-list.ts';

/** An order with its text as the exchange wrote it. */
interface ReadOrder {
  readonly order: Order;
  readonly text: string;
  readonly repetition: Repetition;
}

export interface ReadOrders {
  readonly orders: readonly ReadOrder[];
  /** Rows that are no orders. */
  readonly unreadable: number;
}

const parser = createParser(list(Order));

/** Orders by their texts; those that are none are left out. */
export function parseOrders(texts: readonly string[]): ReadonlyMap<string, Order> {
  const { value, setAside } = parser.tolerant(`[${texts.join(',')}]`);
  const odd = new Set(setAside.map(({ index }) => index));
  const sound = texts.filter((_, index) => !odd.has(index));
  return new Map((value ?? []).map((order, index) => [sound[index] ?? '', order]));
}

export interface OrderReader {
  /** `step`: how the list differs from an earlier one, where that is known. Of two orders with one id, the first counts. */
  readonly read: (list: string, step?: ListStep) => ReadOrders;
  /** Parses what is new in a list before it is read, a part at a time: all of ten thousand orders at once would hold up everything else. */
  readonly prepare: (list: string, yieldToOthers: () => Promise<void>, step?: ListStep) => Promise<void>;
}

/** How many orders are parsed, or looked at, before others have their turn: some milliseconds. */
export const ORDERS_AT_ONCE = 1_000;

/** Reads one working set after the other. Of ten thousand orders hardly any differs from one to the next: only those are parsed. */
export function createOrderReader(): OrderReader {
  let [list, read]: [RowList, ReadOrders] = [NO_ROWS, { orders: [], unreadable: 0 }];
  const known = new Map<string, ReadOrder>();
  const repetitions = createRepetitionCount();
  /** Parsed, and not read yet. */
  let prepared: ReadonlyMap<string, Order> = new Map();

  const leave = ({ key }: KeyedRow): void => {
    const left = known.get(key);
    if (left !== undefined) repetitions.remove(left.order);
    known.delete(key);
  };
  const enter = (rows: readonly KeyedRow[]): void => {
    const texts = rows.map(({ row }) => copyOf(row));
    const parsed = parseOrders(texts.filter((text) => !prepared.has(text)));
    for (const [index, text] of texts.entries()) {
      const order = prepared.get(text) ?? parsed.get(text);
      const key = rows[index]?.key;
      if (order !== undefined && key !== undefined) known.set(key, { order, text, repetition: repetitions.add(order) });
    }
  };
  return {
    read: (text, given) => {
      const { list: next, diff, left } = stepFrom(list, text, 'id', given);
      for (const row of [...diff.gone, ...diff.changed.map(([before]) => before)]) leave(row);
      enter(newRowsOf(diff));
      prepared = new Map();
      if (next !== list) {
        const orders = next.keys.flatMap((key) => known.get(key) ?? []);
        [list, read] = [next, { orders, unreadable: left + next.keys.length - orders.length }];
      }
      return read;
    },
    prepare: async (text, yieldToOthers, given) => {
      const texts = newRowsOf(stepFrom(list, text, 'id', given).diff).map(({ row }) => copyOf(row));
      const parsed = new Map<string, Order>();
      for (let at = 0; at < texts.length; at += ORDERS_AT_ONCE) {
        await yieldToOthers();
        for (const [row, order] of parseOrders(texts.slice(at, at + ORDERS_AT_ONCE))) parsed.set(row, order);
      }
      prepared = parsed;
    },
  };
}

function newRowsOf({ added, changed }: RowDiff<KeyedRow>): readonly KeyedRow[] {
  return [...added, ...changed.map(([, after]) => after)];
}
