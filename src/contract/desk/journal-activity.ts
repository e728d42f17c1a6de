import { contracts, instant, integer, number, productId, text } from '../exchange/fields.ts';
import { CHANGE_KINDS, journalQuery, JournalGap } from './journal.ts';
import { orderFilters, type Parameter } from '../exchange/parameter-sets.ts';
import type { Grammar } from '../exchange/parameters.ts';
import { list, nullable, row, type Static } from '../exchange/schema.ts';

/** Counts of the changes in the journal, over a while. */

/** What changes can be grouped by: whatever orders are filtered by. */
export const ACTIVITY_KEYS = Object.keys(orderFilters) as readonly (keyof typeof orderFilters)[];

const SECONDS_OF_MINUTE = 60;
const SECONDS_OF_DAY = 86_400;
/** In a response. */
export const MAX_ACTIVITY_BUCKETS = 2_000;

/** In counts: orders, or changes of them. */
const counts = {
  found: integer('Orders already working when the journal began. When they were placed is unknown.'),
  placed: integer(
    'Orders listed as working for the first time. Orders placed and closed between two readings are in none of these figures.',
  ),
  changed: integer('Changes of orders while they were working.'),
  modified: integer('Of these, changes to the price, the order quantity or the time in force.'),
  gone: integer(
    'Orders no longer listed as working, without those listed again since, whenever that was. The next four figures break them down by outcome. Each counts when the order was gone, even if its outcome became known later.',
  ),
  ended_filled: integer('Of these, orders that were completely filled, according to the order history.'),
  ended_partly_filled: integer('Of these, orders cancelled or expired after a partial fill.'),
  ended_unfilled: integer(
    'Of these, orders cancelled or expired without any fill. The exchange does not distinguish the two.',
  ),
  outcome_unknown: integer('Of these, orders whose outcome the order history has not shown yet.'),
  fills: integer('Changes that show a larger filled quantity. Two fills between two readings count as one.'),
  quantity_placed: contracts('Order quantity of placed orders.'),
  quantity_filled: contracts(
    'Quantity filled between two readings of an order, or between the last reading and its end.',
  ),
  quantity_filled_before: contracts(
    'Quantity of placed orders that was filled before the first reading that listed them. Not part of quantity_filled.',
  ),
  quantity_ended: contracts('Order quantity of orders that are gone and whose outcome is known.'),
  quantity_ended_filled: contracts('The filled part of quantity_ended.'),
  returned: integer(
    'Orders listed again in this period after a reading had lacked them: they had not gone, and are not placed again. They are taken out of gone where that counted them, which may be in an earlier period.',
  ),
  unmeasured: integer(
    'Changes missing from the quantities and fills because the exchange published no quantity, or an impossible one.',
  ),
  lives: integer(
    'Orders whose outcome is known and whose lifetime can be measured: from acceptance to last change, by the exchange’s clock.',
  ),
  median_life_seconds: nullable(
    number(
      'Median lifetime of these orders, accurate to 5 percent: lifetimes are kept in steps of a tenth. Null if there are none.',
    ),
  ),
};

const ActivityCounts = row('ActivityCounts', 'Counts of changes.', counts);
export type ActivityCounts = Static<typeof ActivityCounts>;

const none = 'null unless grouped by it.';
const ActivityGroup = row(
  'ActivityGroup',
  'Orders with the same values of the fields they are grouped by. A value is empty where the orders have none.',
  {
    symbol: nullable(text(`Product symbol; ${none}`)),
    product_id: nullable(productId(`Product ID; ${none}`)),
    product_type: nullable(text(`Product type; ${none}`)),
    clearing_firm_code: nullable(text(`Short name of the clearing firm; ${none}`)),
    account_id: nullable(text(`Account code; ${none}`)),
    connection_id: nullable(text(`ID of the connection that sent the orders; ${none}`)),
    ...counts,
  },
);
export type ActivityGroup = Static<typeof ActivityGroup>;

const ActivityBucket = row('ActivityBucket', 'Changes in one interval, by kind.', {
  from: instant('When it begins.'),
  ...(Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, integer(`Changes of this kind: ${kind}.`)])) as Record<
    (typeof CHANGE_KINDS)[number],
    ReturnType<typeof integer>
  >),
});

/** `GET /api/desk/journal/activity`. */
export const DeskJournalActivity = row(
  'DeskJournalActivity',
  'Counts of the changes in the journal, by the reading that showed each of them. Counts are kept per minute, so the requested times are extended to whole minutes.',
  {
    kept_from: nullable(instant('When the journal begins; null if it is empty.')),
    read_to: nullable(instant('The last reading of the working set; null if there is none.')),
    from: nullable(
      instant(
        'Start of the counted period: the requested time, or the beginning of the journal if that is later. Null if the journal has nothing in the requested period.',
      ),
    ),
    to: nullable(instant('End of the counted period: the requested time, or the last reading if that is earlier.')),
    readings: integer('Readings in this period.'),
    longest_seconds: nullable(
      number('The longest interval between two of them, gaps excluded; null if there are fewer than two.'),
    ),
    unread_seconds: number('How much of this period falls in gaps.'),
    gaps: list(JournalGap),
    bucket_seconds: integer('Length of a bucket.'),
    buckets: list(ActivityBucket),
    total: ActivityCounts,
    groups: list(ActivityGroup),
  },
);
export type DeskJournalActivity = Static<typeof DeskJournalActivity>;

const bucketGrammar: Grammar = {
  name: 'bucket',
  sentence: 'a whole number of minutes in seconds, from 60 to 86400',
  shape: { type: 'string', pattern: '^[1-9]\\d{1,4}$' },
  example: '300',
  accepts: (seconds) =>
    /^[1-9]\d{1,4}$/.test(seconds) && Number(seconds) % SECONDS_OF_MINUTE === 0 && Number(seconds) <= SECONDS_OF_DAY,
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
  by: {
    grammar: keyGrammar,
    description: 'Field to group by. Repeat it to group by several; without it, there is one group.',
    repeatable: true,
  },
  bucket_seconds: {
    grammar: bucketGrammar,
    description: `Length of a bucket, 60 by default. Only buckets with changes are returned; a request for a period of more than ${String(MAX_ACTIVITY_BUCKETS)} buckets is rejected.`,
  },
} as const satisfies Record<string, Parameter>;
