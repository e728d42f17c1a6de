import { flag, instant, integer, orderId, text } from '../exchange/fields.ts';
import { isOrderId } from '../exchange/ids.ts';
import { Order } from '../exchange/order.ts';
import { pageOf } from '../exchange/paging.ts';
import { cursor, orderFilters, range, type Parameter } from '../exchange/parameter-sets.ts';
import { instantGrammar, journalLimitGrammar, orderingGrammar, type Grammar } from '../exchange/parameters.ts';
import { list, nullable, openEnum, row, type Static } from '../exchange/schema.ts';

/** What the desk saw of working orders: each reading of the working set, compared with the one before. */

/** The order was seen for the first time; it changed; it was gone; the order history said how it was closed; it was listed again, and had not gone. */
export const CHANGE_KINDS = ['seen', 'changed', 'gone', 'ended', 'returned'] as const;

const OrderChange = row('OrderChange', 'A change of one order between two readings of the working set.', {
  kind: openEnum(
    CHANGE_KINDS,
    'seen: listed as working for the first time. changed: a field changed. gone: no longer listed as working. ended: order history shows how it was closed. returned: listed again, so it had not gone; it is no longer counted as gone.',
  ),
  order_id: orderId('Order ID.'),
  read_after: nullable(instant('The last reading before the change; null if there was none.')),
  read_by: instant('The first reading that shows the change.'),
  fields: list(text('A field that changed.')),
  before: nullable(Order),
  order: Order,
});
export type OrderChange = Static<typeof OrderChange>;

const { pagination } = pageOf(OrderChange, 'DeskJournalPage').properties;

/** `GET /api/desk/journal/changes`. */
export const DeskJournalChanges = row(
  'DeskJournalChanges',
  'Changes of working orders. A page may be short or even empty if few of the changes read match the filters; only a page without a cursor is the last one.',
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

/** `GET /api/desk/journal/book`. */
export const DeskJournalBook = row(
  'DeskJournalBook',
  'The orders working at an instant, as shown by the last reading before it.',
  {
    read_from: instant('When the first part of that reading was read.'),
    read_to: instant('When its last part was read.'),
    complete: flag(
      'Whether that reading was complete. If not, orders it did not cover are shown as in an earlier reading.',
    ),
    next_read_at: nullable(instant('The next reading; null if there is none yet.')),
    in_gap: flag(
      'Whether the instant falls in a gap: nothing was read for so long that orders may have been placed, changed and closed unseen.',
    ),
    orders: list(Order),
  },
);
export type DeskJournalBook = Static<typeof DeskJournalBook>;

export const JournalGap = row('JournalGap', 'A period in which the working set was not read.', {
  from: instant('The last reading before it.'),
  to: instant('The first reading after it.'),
});

/** `GET /api/desk/journal`. */
export const DeskJournal = row('DeskJournal', 'What the journal covers.', {
  kept_from: nullable(instant('When it begins; null if it is empty.')),
  read_to: nullable(instant('The last reading of the working set; null if there is none.')),
  changes: nullable(integer('Number of changes in the journal; null for those who may not see all orders.')),
  bytes: nullable(integer('Size of its sealed segments; null for those who may not see all orders.')),
  max_bytes: integer('Size limit: beyond it, the oldest changes are dropped.'),
  gaps: list(JournalGap),
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

/** By the reading that showed a change. */
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
  at: { grammar: instantGrammar, description: 'An instant.' },
} as const satisfies Record<string, Parameter>;
