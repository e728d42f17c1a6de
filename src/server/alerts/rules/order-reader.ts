import { createParser } from '#contract/parse/parse.ts';
import { cutRows } from '#contract/parse/row-texts.ts';
import { Order } from '#contract/exchange/order.ts';
import { list } from '#contract/exchange/schema.ts';
import { createRepetitionCount, type Repetition } from '#model/orders/duplicates.ts';
import { copyOf } from '#server/core/row-list.ts';

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
  readonly read: (list: string) => ReadOrders;
  /** Parses what is new in a list before it is read, a part at a time: all of ten thousand orders at once would hold up everything else. */
  readonly prepare: (list: string, yieldToOthers: () => Promise<void>) => Promise<void>;
}

/** How many orders are parsed, or looked at, before others have their turn: some milliseconds. */
export const ORDERS_AT_ONCE = 1_000;

/** Reads one working set after the other. Of ten thousand orders hardly any differs from one to the next: only those are parsed. */
export function createOrderReader(): OrderReader {
  let known = new Map<string, ReadOrder>();
  const repetitions = createRepetitionCount();
  const learn = (texts: readonly string[]): void => {
    const fresh = parseOrders(texts.filter((text) => !known.has(text)).map(copyOf));
    for (const [text, order] of fresh) known.set(text, { order, text, repetition: repetitions.add(order) });
  };
  return {
    read: (rows) => {
      const texts = [...cutRows(rows)];
      learn(texts);
      const orders = firstOfEach(texts.flatMap((text) => known.get(text) ?? []));
      const next = new Map(orders.map((read) => [read.text, read]));
      for (const [text, { order }] of known) if (!next.has(text)) repetitions.remove(order);
      known = next;
      return { orders, unreadable: texts.length - orders.length };
    },
    prepare: async (rows, yieldToOthers) => {
      const fresh = [...cutRows(rows)].filter((text) => !known.has(text));
      for (let at = 0; at < fresh.length; at += ORDERS_AT_ONCE) {
        await yieldToOthers();
        learn(fresh.slice(at, at + ORDERS_AT_ONCE));
      }
    },
  };
}

/** Of two rows with one id, as of two parts of a set, the first counts. */
function firstOfEach(orders: readonly ReadOrder[]): readonly ReadOrder[] {
  const ids = new Set<string>();
  return orders.filter(({ order: { id } }) => ids.size < ids.add(id).size);
}
