import { contracts, flag, instant, integer, number, orderId, productId, text } from '../exchange/fields.ts';
import {
  cursor,
  type Grammar,
  instantGrammar,
  productIdGrammar,
  journalLimitGrammar,
  orderFilters,
  orderingGrammar,
  type Parameter,
  range,
} from '../exchange/parameters.ts';
import { agreeing, list, nullable, openEnum, row, type Static } from '../exchange/schema.ts';
import { isOrderId } from '../exchange/ids.ts';
import { Order } from '../exchange/order.ts';
import { pageOf } from '../exchange/paging.ts';
import { ProductData, TIMED_PRICES } from '../exchange/product.ts';

/** The journal of working orders: each reading of the working set, compared with the one before it. */

/**
 * seen: the order was seen for the first time. gone: it was no longer listed. ended: the order history showed how it
 * had closed. returned: it was listed again, so it had not gone. passed: it came and went between two readings, and
 * only the order history shows it.
 */
export const CHANGE_KINDS = ['seen', 'changed', 'gone', 'ended', 'returned', 'passed'] as const;

const OrderChange = row('OrderChange', 'A change of one order between two readings of the working set.', {
  kind: openEnum(
    CHANGE_KINDS,
    'seen: listed as working for the first time. changed: a field changed. gone: no longer listed as ' +
      'working. ended: order history shows how it was closed. returned: listed again, so it had not gone; ' +
      'it is no longer counted as gone. passed: from order history, because the order was placed and closed ' +
      'between two readings, neither of which lists it.',
  ),
  order_id: orderId('Order ID.'),
  read_after: nullable(instant('The last reading before the change; null if there was none.')),
  read_by: instant('The first reading that shows the change; for passed, the reading with which it was recorded.'),
  fields: list(text('A field that changed.')),
  before: nullable(Order),
  order: Order,
});
export type OrderChange = Static<typeof OrderChange>;

const { pagination } = pageOf(OrderChange, 'DeskJournalPage').properties;

/** `GET /api/desk/journal/changes`. */
export const DeskJournalChanges = row(
  'DeskJournalChanges',
  'Changes of working orders. A page may be short or even empty if few of the changes read match the ' +
    'filters; only a page without a cursor is the last one.',
  {
    changes: list(OrderChange),
    pagination,
  },
);
export type DeskJournalChanges = Static<typeof DeskJournalChanges>;

/** `GET /api/desk/journal/order`. */
export const DeskJournalOrder = row(
  'DeskJournalOrder',
  'Everything the journal has about one order, oldest change first.',
  {
    kept_from: nullable(instant('When the journal begins; null if it is empty.')),
    read_to: nullable(instant('The last reading of the working set; null if there is none.')),
    before: nullable(Order),
    changes: list(OrderChange),
  },
);
export type DeskJournalOrder = Static<typeof DeskJournalOrder>;

const GAP_CAUSES = ['exchange', 'budget'] as const;

/** Descriptions that a function returns would stay in the page's code. */
const CAUSES = 'Why: exchange: it did not respond as it should. budget: the requests were used up.';

const ends = { from: instant('The last reading before it.'), to: instant('The first reading after it.') };

export const JournalGap = row('JournalGap', 'A period in which the working set was not read.', ends);

const ReadingGap = row(
  'ReadingGap',
  'A period in which the working set was not read: at least one reading failed or was missed.',
  { ...ends, cause: nullable(openEnum(GAP_CAUSES, `${CAUSES} Null if it is not known.`)) },
);
export type ReadingGap = Static<typeof ReadingGap>;

/** `GET /api/desk/journal/book`. */
export const DeskJournalBook = row(
  'DeskJournalBook',
  'The orders working at an instant that match the filters, as shown by the last reading before it.',
  {
    read_from: instant('When the first part of that reading was read.'),
    read_to: instant('When its last part was read.'),
    complete: flag(
      'Whether that reading was complete. If not, orders it did not cover are shown as in an earlier reading.',
    ),
    next_read_at: nullable(instant('The next reading; null if there is none yet.')),
    in_gap: flag('Whether the instant falls in a gap: at least one reading failed or was missed.'),
    gap_cause: nullable(openEnum(GAP_CAUSES, `${CAUSES} Null without a gap, or if it is not known.`)),
    orders: list(Order),
  },
);
export type DeskJournalBook = Static<typeof DeskJournalBook>;

const { product_id, last_price_time, last_price, settlement_time, settlement_price, high_price, low_price } =
  ProductData.properties;

export const RecordedPrice = agreeing(
  row(
    'RecordedPrice',
    'The market price of a product, and what shows whether it can be right: fields of its product data when the last ' +
      'price or the settlement last changed.',
    { product_id, last_price_time, last_price, settlement_time, settlement_price, high_price, low_price },
  ),
  ...TIMED_PRICES,
);
export type RecordedPrice = Static<typeof RecordedPrice>;

/** `GET /api/desk/journal/prices`. */
export const DeskJournalPrices = row(
  'DeskJournalPrices',
  'The market prices at an instant, as the last reading of product data before it shows them.',
  {
    read_at: nullable(instant('When product data were read; null without prices.')),
    missing: nullable(text('Why there are no prices: they were not recorded then. Null if there are.')),
    prices: list(RecordedPrice),
  },
);
export type DeskJournalPrices = Static<typeof DeskJournalPrices>;

const ObservedPrice = agreeing(
  row('ObservedPrice', 'The market price of a product, and the reading of product data that showed it first.', {
    read_at: instant('When product data were read.'),
    ...RecordedPrice.properties,
  }),
  ...TIMED_PRICES,
);
export type ObservedPrice = Static<typeof ObservedPrice>;

/** Enough for a session of a dated contract that began before a weekend. */
export const MAX_OBSERVED_HOURS = 96;

/** `GET /api/desk/journal/observed`. */
export const DeskObservedPrices = row(
  'DeskObservedPrices',
  'The market prices of a product over a period, as readings of product data showed them. A price holds until the ' +
    'next one, or until a gap.',
  {
    read_to: nullable(instant('The last reading in the period; null if there is none.')),
    every_seconds: integer('How often product data are read at least.'),
    missing: nullable(text('Why there are no prices: they were not recorded then. Null if there are.')),
    gaps: list(
      row('UnreadPeriod', 'A period in which product data were not read.', {
        from: instant('The last reading before it, or the beginning of the requested period.'),
        to: instant('The first reading after it, or the end of the requested period.'),
      }),
    ),
    prices: list(ObservedPrice),
  },
);
export type DeskObservedPrices = Static<typeof DeskObservedPrices>;

/** `GET /api/desk/journal`. */
export const DeskJournal = row('DeskJournal', 'What the journal covers.', {
  kept_from: nullable(instant('When it begins; null if it is empty.')),
  read_to: nullable(instant('The last reading of the working set; null if there is none.')),
  changes: nullable(integer('Number of changes in the journal; null for those who may not see all orders.')),
  bytes: nullable(integer('Size of its sealed segments; null for those who may not see all orders.')),
  history_to: nullable(
    instant(
      'When the order history was last read: orders placed and closed between two readings since then are not in the ' +
        'journal yet. Null if that is not known.',
    ),
  ),
  max_bytes: integer('Size limit: beyond it, the oldest changes are dropped.'),
  gaps: list(ReadingGap),
});
export type DeskJournal = Static<typeof DeskJournal>;

const orderIdGrammar: Grammar = {
  name: 'order id',
  sentence: 'an order ID: a whole number of up to 39 digits',
  shape: { type: 'string', pattern: '^(?:0|[1-9]\\d{0,38})$' },
  example: '7674028327896836521',
  accepts: isOrderId,
};

const changeKindGrammar: Grammar = {
  name: 'kind of change',
  sentence: `one of ${CHANGE_KINDS.join(', ')}`,
  shape: { type: 'string', enum: CHANGE_KINDS },
  example: 'changed',
  accepts: (kind) => (CHANGE_KINDS as readonly string[]).includes(kind),
};

/** Selects changes by the reading that showed them. */
const times = {
  begin_time: { ...range.begin_time, description: 'Only readings at or after this time.' },
  end_time: { ...range.end_time, description: 'Only readings before this time.' },
} as const satisfies Record<string, Parameter>;

export const journalQuery = times;

export const journalChangesQuery = {
  ...orderFilters,
  ...times,
  order_id: { grammar: orderIdGrammar, description: 'Order ID.' },
  kind: { grammar: changeKindGrammar, description: 'Kind of change. Repeat it for several kinds.', repeatable: true },
  order: { grammar: orderingGrammar, description: 'Oldest or newest reading first; newest first by default.' },
  limit: { grammar: journalLimitGrammar, description: 'Changes per page, 1 to 10,000; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;

export const journalOrderQuery = {
  order_id: { grammar: orderIdGrammar, description: 'Order ID.' },
} as const satisfies Record<string, Parameter>;

export const journalBookQuery = {
  ...orderFilters,
  at: { grammar: instantGrammar, description: 'An instant.' },
} as const satisfies Record<string, Parameter>;

export const journalPricesQuery = { at: journalBookQuery.at } as const satisfies Record<string, Parameter>;

export const observedPricesQuery = {
  product_id: { grammar: productIdGrammar, description: 'Product ID.' },
  begin_time: { grammar: instantGrammar, description: 'When the period begins.' },
  end_time: {
    grammar: instantGrammar,
    description: `When it ends, at most ${String(MAX_OBSERVED_HOURS)} hours later.`,
  },
} as const satisfies Record<string, Parameter>;

/** Counts of journal changes over a period. */

/** The fields by which changes can be grouped, which are those that filter orders. */
export const ACTIVITY_KEYS = Object.keys(orderFilters) as readonly (keyof typeof orderFilters)[];

const SECONDS_OF_MINUTE = 60;
const SECONDS_OF_DAY = 86_400;
/** Per response. */
export const MAX_ACTIVITY_BUCKETS = 2_000;

/** Counts of orders or of their changes. */
const counts = {
  found: integer('Orders already working when the journal began. When they were placed is unknown.'),
  placed: integer(
    'Orders that were placed: listed as working for the first time, or found in the order history if they were ' +
      'placed and closed between two readings.',
  ),
  passed: integer('Of these, orders found in the order history only. They are in gone as well.'),
  changed: integer('Changes of orders while they were working.'),
  modified: integer('Of these, changes to the price, the order quantity or the time in force.'),
  gone: integer(
    'Orders no longer listed as working, without those listed again since, whenever that was, and those that ' +
      'were placed and closed between two readings. The next ' +
      'four figures break them down by outcome. Each counts when the order was gone, even if its outcome ' +
      'became known later.',
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
    'Orders listed again in this period after a reading had lacked them: they had not gone, and are not ' +
      'placed again. They are taken out of gone where that counted them, which may be in an earlier period.',
  ),
  unmeasured: integer(
    'Changes missing from the quantities and fills because the exchange published no quantity, or an impossible one.',
  ),
  lives: integer(
    'Orders whose outcome is known and whose lifetime can be measured: from acceptance to last change, ' +
      'by the exchange’s clock.',
  ),
  median_life_seconds: nullable(
    number(
      'Median lifetime of these orders, accurate to 5 percent: lifetimes are kept in steps of a tenth. ' +
        'Null if there are none.',
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
  found: integer('Orders already working when the journal began, which are not part of seen.'),
  ...(Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, integer(`Changes of this kind: ${kind}.`)])) as Record<
    (typeof CHANGE_KINDS)[number],
    ReturnType<typeof integer>
  >),
});

/** `GET /api/desk/journal/activity`. */
export const DeskJournalActivity = row(
  'DeskJournalActivity',
  'Counts of the changes in the journal, by the reading that showed each of them. Counts are kept per ' +
    'minute, so the requested times are extended to whole minutes.',
  {
    kept_from: nullable(instant('When the journal begins; null if it is empty.')),
    read_to: nullable(instant('The last reading of the working set; null if there is none.')),
    from: nullable(
      instant(
        'Start of the counted period: the requested time, or the beginning of the journal if that is ' +
          'later. Null if the journal has nothing in the requested period.',
      ),
    ),
    to: nullable(instant('End of the counted period: the requested time, or the last reading if that is earlier.')),
    readings: integer('Readings in this period.'),
    longest_seconds: nullable(
      number('The longest interval between two of them, gaps excluded; null if there are fewer than two.'),
    ),
    unread_seconds: number('How much of this period falls in gaps.'),
    gaps: list(ReadingGap),
    history_to: nullable(
      instant(
        'When the order history was last read: orders placed and closed between two readings since then are not ' +
          'counted yet. Null if that is not known.',
      ),
    ),
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
    description:
      'Length of a bucket, 60 by default. Only buckets with changes are returned; a request ' +
      `for a period of more than ${String(MAX_ACTIVITY_BUCKETS)} buckets is rejected.`,
  },
} as const satisfies Record<string, Parameter>;
