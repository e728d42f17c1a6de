import { contracts, instant, integer, number, productId, text } from './fields.ts';
import { CHANGE_KINDS, journalQuery, JournalGap } from './desk-journal.ts';
import { orderFilters, type Parameter } from './parameter-sets.ts';
import type { Grammar } from './parameters.ts';
import { list, nullable, row, type Static } from './schema.ts';

/** Counts of the changes in the journal, over a while. */

/** What changes can be grouped by: whatever orders are filtered by. */
export const ACTIVITY_KEYS = Object.keys(orderFilters) as readonly (keyof typeof orderFilters)[];

const SECONDS_OF_MINUTE = 60;
const SECONDS_OF_DAY = 86_400;
/** In a response. */
export const MAX_ACTIVITY_BUCKETS = 2_000;

/** In counts: orders, or changes of them. */
const counts = {
  found: integer('Orders that were working when the journal began: when they were placed is not known.'),
  placed: integer('Orders that were listed as working for the first time, or again. Orders that came and went between two readings are in none of these figures.'),
  changed: integer('Changes of orders while they were working.'),
  modified: integer('How many of these changed the price, the order quantity or the time in force.'),
  gone: integer('Orders that were no longer listed as working. How they ended is in the next four; each of these counts when the order was gone, however much later it was known.'),
  ended_filled: integer('How many of them ended filled completely, by the order history.'),
  ended_partly_filled: integer('How many ended with a part of the quantity filled, cancelled or expired.'),
  ended_unfilled: integer('How many ended without any fill, cancelled or expired. The exchange does not distinguish the two.'),
  outcome_unknown: integer('Of how many the order history has not shown yet how they ended. Includes orders that were missing from a reading, and listed as working again.'),
  fills: integer('Changes that show a larger filled quantity. Two fills between two readings are one.'),
  quantity_placed: contracts('Order quantity of placed orders.'),
  quantity_filled: contracts('Quantity filled between two readings of an order, or after the last one and before its end.'),
  quantity_filled_before: contracts('Of placed orders, the quantity filled before the first reading that listed them; not part of quantity_filled.'),
  quantity_ended: contracts('Order quantity of orders that were gone and of which it is known how they ended.'),
  quantity_ended_filled: contracts('How much of it had been filled.'),
  unmeasured: integer('Changes that are missing from the quantities and fills, since the exchange published no quantity, or an impossible one.'),
  lives: integer('Orders of which it is known how they ended, with times to count their life from: acceptance to last change, by the exchange’s clock.'),
  median_life_seconds: nullable(number('The life that half of them did not exceed, within 5 percent: lives are kept in steps of a tenth. Null without any.')),
};

const ActivityCounts = row('ActivityCounts', 'Counts of what changed.', counts);
export type ActivityCounts = Static<typeof ActivityCounts>;

const none = 'null where it is not grouped by.';
const ActivityGroup = row('ActivityGroup', 'The orders with the same values of the fields that are grouped by. A value is empty where orders have none.', {
  symbol: nullable(text(`Product symbol; ${none}`)),
  product_id: nullable(productId(`Product id; ${none}`)),
  product_type: nullable(text(`Product type; ${none}`)),
  clearing_firm_code: nullable(text(`Short name of the clearing firm; ${none}`)),
  account_id: nullable(text(`Account code; ${none}`)),
  connection_id: nullable(text(`Id of the connection that sent the orders; ${none}`)),
  ...counts,
});
export type ActivityGroup = Static<typeof ActivityGroup>;

const ActivityBucket = row('ActivityBucket', 'Changes by their kind, of the readings from one time on.', {
  from: instant('When it begins.'),
  ...Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, integer(`Changes of this kind: ${kind}.`)])) as Record<(typeof CHANGE_KINDS)[number], ReturnType<typeof integer>>,
});

/** `GET /api/desk/journal/activity`. */
export const DeskJournalActivity = row('DeskJournalActivity', 'Counts of the changes in the journal, by the readings that showed them. They are kept by the minute, so the times are extended to whole minutes.', {
  kept_from: nullable(instant('When the journal begins; null if it is empty.')),
  read_to: nullable(instant('The last reading of the working set; null if there is none.')),
  from: nullable(instant('From when the counts are: the requested time, or later where the journal begins later; null where it has nothing of the requested time.')),
  to: nullable(instant('Up to when the counts are: the requested time, or earlier where the last reading was earlier.')),
  readings: integer('Readings in this time.'),
  longest_seconds: nullable(number('The longest time between two of them, apart from gaps; null if there are no two.')),
  unread_seconds: number('How much of this time is in gaps.'),
  gaps: list(JournalGap),
  bucket_seconds: integer('Length of a bucket.'),
  buckets: list(ActivityBucket),
  total: ActivityCounts,
  groups: list(ActivityGroup),
});
export type DeskJournalActivity = Static<typeof DeskJournalActivity>;

const bucketGrammar: Grammar = {
  name: 'bucket',
  sentence: 'a whole number of minutes in seconds, from 60 to 86400',
  shape: { type: 'string', pattern: '^[1-9]\\d{1,4}$' },
  example: '300',
  accepts: (seconds) => /^[1-9]\d{1,4}$/.test(seconds) && Number(seconds) % SECONDS_OF_MINUTE === 0 && Number(seconds) <= SECONDS_OF_DAY,
};

const keyGrammar: Grammar = {
  name: 'activity key',
  sentence: `one of ${ACTIVITY_KEYS.join(', ')}`,
  shape: { type: 'string', enum: ACTIVITY_KEYS },
  example: 'account_id',
  accepts: (key) => (ACTIVITY_KEYS as readonly string[]).includes(key),
};

export const journalActivityQuery = {
  ...orderFilters,
  ...journalQuery,
  by: { grammar: keyGrammar, description: 'What to group by. Repeat it to group by several; without it, there is one group.', repeatable: true },
  bucket_seconds: { grammar: bucketGrammar, description: `Length of a bucket, 60 by default. Only buckets with changes are returned; a request for a time of more than ${String(MAX_ACTIVITY_BUCKETS)} buckets is rejected.` },
} as const satisfies Record<string, Parameter>;
