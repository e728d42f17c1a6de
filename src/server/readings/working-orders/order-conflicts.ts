import type { OrderConflict } from '#contract/desk/desk.ts';
import { FIXED_FIELDS } from '#contract/exchange/order.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { copyOf, type RowReading } from '#server/core/row-list.ts';
import type { Row } from '#server/core/rows.ts';
import { idTextOf, type RowText, toId } from '#server/journal/segment/change.ts';

/** Listed orders that are not what they were, or not what the order history says: one of the responses is wrong. */
export interface OrderConflicts {
  /** Takes the next reading of the whole working set, and when it was read. */
  readonly take: (reading: Pick<RowReading, 'diff'>, at: number) => void;
  /** Compares a page of the order history with the last reading. */
  readonly noteHistory: (rows: readonly Row[], at: number) => void;
  readonly list: () => readonly OrderConflict[];
}

/** How far the list and the order history may be behind each other. */
export const LAG_MS = 60_000;

/** What both responses must say alike once neither is behind, if the last change of an order is the same in both. */
const FIELDS_OF_CHANGE = ['price', 'quantity_requested', 'quantity_filled'] as const;

export function createOrderConflicts(): OrderConflicts {
  /** By the text of the order’s ID. */
  const [ofReadings, ofHistory] = [new Map<string, OrderConflict>(), new Map<string, OrderConflict>()];
  /** When rows were first read as they are, unless that is long ago. */
  const readSince = new Map<string, number>();
  /** What is compared of the listed orders, so that a page of the history needs no walk over the list. */
  const listed = new Map<string, RowText>();
  return {
    take: ({ diff: { added, changed, gone } }, at) => {
      for (const [key, since] of readSince) if (since < at - 2 * LAG_MS) readSince.delete(key);
      for (const { key } of gone) for (const found of [listed, ofReadings, ofHistory]) found.delete(key);
      for (const { key, row } of [...added, ...changed.map(([, after]) => after)]) {
        readSince.set(key, at);
        listed.set(key, toCompared(row));
      }
      for (const [before, { key, row }] of changed) {
        const conflict = describe(row, FIXED_FIELDS, (field) => valueOf(before.row, field), 'earlier reading');
        if (conflict !== null) ofReadings.set(key, conflict);
        if (!isFixed(ofHistory.get(key))) ofHistory.delete(key);
      }
    },
    noteHistory: (rows, at) => {
      for (const past of rows) {
        const key = JSON.stringify(past['id']);
        const row = listed.get(key);
        if (row === undefined) continue;
        const isSettled = (readSince.get(key) ?? -Infinity) <= at - LAG_MS;
        const isSameChange = isSettled && valueOf(row, 'last_modified') === past['last_modified'];
        const fields = isSameChange ? [...FIXED_FIELDS, ...FIELDS_OF_CHANGE] : FIXED_FIELDS;
        const conflict = describe(row, fields, (field) => past[field], 'order history');
        if (conflict === null) ofHistory.delete(key);
        else ofHistory.set(key, conflict);
      }
    },
    list: () => [...ofReadings.values(), ...ofHistory.values()],
  };
}

function isFixed(conflict: OrderConflict | undefined): boolean {
  return FIXED_FIELDS.some((field) => field === conflict?.field);
}

/** Copies the fields out of the response, which they would otherwise keep in memory. */
function toCompared(row: RowText): RowText {
  const fields = ['id', 'last_modified', ...FIXED_FIELDS, ...FIELDS_OF_CHANGE].flatMap((field) => {
    const text = fieldOf(row, field);
    return text === undefined ? [] : [`"${field}":${text}`];
  });
  return copyOf(`{${fields.join()}}`);
}

/** Leaves out the values, since the account may be that of others. */
export function withoutValues(conflict: OrderConflict): OrderConflict {
  const { order_id: id, field, differs_from: other } = conflict;
  return {
    ...conflict,
    reason: `Order ${id}: ${field} ${
      other === 'earlier reading'
        ? 'changed, which cannot happen.'
        : 'differs between the working orders and the order history.'
    }`,
  };
}

/** Describes the first field that differs; null if none does. */
function describe(
  row: RowText,
  fields: readonly string[],
  other: (field: string) => unknown,
  differs_from: OrderConflict['differs_from'],
): OrderConflict | null {
  for (const field of fields) {
    const [listed, past] = [valueOf(row, field), other(field)];
    if (listed === undefined || past === undefined || listed === past) continue;
    const [is, was] = [JSON.stringify(listed), JSON.stringify(past)];
    const order_id = toId(idTextOf(row));
    const sentence =
      differs_from === 'earlier reading'
        ? `${field} was ${was} and is now ${is}, which cannot happen.`
        : `${field} is ${is} among the working orders and ${was} in the order history.`;
    return { order_id, field, differs_from, reason: `Order ${order_id}: ${sentence}` };
  }
  return null;
}

function valueOf(row: RowText, field: string): unknown {
  const text = fieldOf(row, field);
  return text === undefined ? undefined : JSON.parse(text);
}
