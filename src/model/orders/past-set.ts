import type { DeskJournalBook } from '#contract/desk/journal.ts';
import { countOf } from '../format/count.ts';
import type { WorkingSet } from './working-set.ts';

/** The working set at an instant, with what is known of its completeness: the journal checked its parts when they were read. */
export function toPastSet(
  { orders: received, complete, in_gap: inGap, read_from: readFrom, read_to: readTo }: DeskJournalBook,
  unreadable: number,
): WorkingSet {
  const orders = [...new Map(received.map((order) => [order.id, order])).values()];
  const repeated = received.length - orders.length;
  const reasons = [
    ...(complete
      ? []
      : ['The reading did not cover all orders: those that it lacks are shown as an earlier reading had them.']),
    ...(inGap
      ? ['Nothing was read for too long around this time: orders may have come, changed and gone unseen.']
      : []),
    ...(unreadable > 0
      ? [`${countOf(unreadable, 'order')} failed validation and ${unreadable === 1 ? 'is' : 'are'} not in the list.`]
      : []),
    ...(repeated > 0 ? [`${countOf(repeated, 'order')} received more than once.`] : []),
  ];
  return {
    orders,
    completeness: {
      complete: reasons.length === 0,
      reasons,
      drop: null,
      parts: [],
      orders: orders.length,
      repeated,
      readFrom,
      readTo,
    },
  };
}
