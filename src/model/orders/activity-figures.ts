import type { ActivityCounts, DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { toNumber } from '#contract/exchange/brand.ts';

/** Placed, modified, and closed other than by filling completely: what its sender did with an order. */
function countOrderMessages({
  placed,
  modified,
  ended_partly_filled: partly,
  ended_unfilled: unfilled,
}: ActivityCounts): number {
  return placed + modified + partly + unfilled;
}

/** Null without fills. */
export function toOrderToTrade(counts: ActivityCounts): number | null {
  return counts.fills === 0 ? null : countOrderMessages(counts) / counts.fills;
}

/** Of the order quantity of orders that ended, how much was filled, from 0 to 1; null where none ended. */
export function toShareFilled({ quantity_ended: ended, quantity_ended_filled: filled }: ActivityCounts): number | null {
  return toNumber(ended) === 0 ? null : toNumber(filled) / toNumber(ended);
}

/** In a gap, orders come, change and go unseen, but fills are found afterwards: a ratio of the two would be wrong. */
export function isRatioWithheld({ unread_seconds: unread }: Pick<DeskJournalActivity, 'unread_seconds'>): boolean {
  return unread > 0;
}
