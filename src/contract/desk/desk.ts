import { DeskAliases } from './aliases.ts';
import { deliveriesQuery, DeskDeliveries, DeskNotifications } from './notifications.ts';
import { DeskPolicy } from './policy.ts';
import { DeskStatus } from './status.ts';
import { DeskEstimates, DeskFunding } from './funding.ts';
import {
  DeskJournal,
  DeskJournalActivity,
  DeskJournalBook,
  DeskJournalChanges,
  DeskJournalOrder,
  DeskJournalPrices,
  DeskObservedPrices,
  journalActivityQuery,
  journalBookQuery,
  journalChangesQuery,
  journalOrderQuery,
  journalPricesQuery,
  observedPricesQuery,
  journalQuery,
} from './journal.ts';
import { ENDPOINTS } from '../exchange/endpoints.ts';
import { flag, instant, integer, text } from '../exchange/fields.ts';
import { WORKING_ORDERS_LIMIT_TEXT, WorkingOrder } from '../exchange/order.ts';
import { deskEstimatesQuery, deskFundingQuery, orderFilters } from '../exchange/parameters.ts';
import { ProductSpec } from '../exchange/product.ts';
import { list, nullable, optional, partialRow, row, openEnum, type Static } from '../exchange/schema.ts';

/** Responses that Perpdesk composes itself, besides the exchange's responses that it passes on. */

/** Prefix of all paths: the exchange's `/orders/working` is served at `/api/orders/working`. */
export const API_PREFIX = '/api';

/** When the exchange responded, as ISO 8601; on every response of the exchange that Perpdesk passes on. */
export const RESPONDED_AT_HEADER = 'desk-answered-at';
/**
 * The time of the exchange's own clock when Perpdesk passed its response on, as ISO 8601; absent while that is unknown.
 */
export const VENUE_TIME_HEADER = 'desk-venue-time';
/** ID of the request in the log; also the `instance` of a problem document. */
export const REQUEST_ID_HEADER = 'desk-request-id';
/**
 * The purpose of a page's request: `interactive` if a person is waiting for it, `prefetch` if it may be needed later.
 */
export const PURPOSE_HEADER = 'desk-purpose';
/** Purposes that override those in the endpoint table. */
export const PAGE_PURPOSES = ['interactive', 'prefetch'] as const;

const PartFilter = row('PartFilter', 'Filters of one part of the working set.', {
  symbol: optional(text('Product symbol.')),
  product_id: optional(text('Product id.')),
  product_type: optional(text('Kind of product.')),
  clearing_member_code: optional(text('Short name of the clearing firm.')),
  account_id: optional(text('Account code.')),
  connection_id: optional(text('Connection that sent the orders.')),
});

const DROP_STATES = ['in doubt', 'contradicted', 'unverified'] as const;

/** Many orders of the last complete reading are missing from the current one. */
const WorkingDrop = row(
  'WorkingDrop',
  'More than 20 orders, and more than a fifth, that the last complete reading listed and this one does not.',
  {
    state: openEnum(
      DROP_STATES,
      'in doubt: they may be working, and the order history is being read. contradicted: some of them ' +
        'are working according to the order history, so the list is incomplete. unverified: they are taken ' +
        'to be gone, although the order history has not confirmed it.',
    ),
    orders: integer('How many are missing. Those who may not see all orders get the number of their own.'),
    working: nullable(
      integer(
        'How many of them one page of the order history has as working; null if it has not said so, and ' +
          'for those who may not see all orders.',
      ),
    ),
  },
);
export type WorkingDrop = Static<typeof WorkingDrop>;

const OrderConflict = row('OrderConflict', 'A listed order that contradicts other responses of the exchange.', {
  order_id: text('Its ID.'),
  field: text('The field that differs.'),
  differs_from: openEnum(['earlier reading', 'order history'] as const, 'The other response.'),
  reason: text('How it differs, in a sentence.'),
});
export type OrderConflict = Static<typeof OrderConflict>;

/**
 * `GET /api/desk/working`: all working orders, with evidence that the set is complete. The exchange rejects requests
 * that match more than 10,000 orders; the set is then read in parts.
 */
export const DeskWorking = row(
  'DeskWorking',
  'The working set with its completeness check. Those who may not see all orders get one part of it: ' +
    'what they may see of the last reading of all. Where that is not proven complete and they may see at ' +
    'most six accounts, firms and connections, these are read on their own.',
  {
    complete: flag(
      'Whether every part was read, no part overlaps another, each order matches the filter of its part, ' +
        'no drop is in doubt, and the order history has no working order that is not listed.',
    ),
    unproven: list(text('Why the set cannot be proven complete, in a sentence.')),
    drop: optional(nullable(WorkingDrop)),
    conflicts: optional(list(OrderConflict)),
    parts: list(
      row('WorkingPart', 'One read of the exchange.', {
        filter: PartFilter,
        count: integer(`Number of orders, 0 to ${WORKING_ORDERS_LIMIT_TEXT}.`),
        read_at: instant('When the exchange responded.'),
      }),
    ),
    read_from: nullable(instant('When the first part was read; null if none was.')),
    round_seconds: nullable(
      integer('Seconds that it takes to read every part again within the request budget; null if one read is enough.'),
    ),
    read_to: nullable(
      instant('When the last part was read. An order that changed in between may be in two parts or in none.'),
    ),
    orders: list(WorkingOrder),
  },
);
export type DeskWorking = Static<typeof DeskWorking>;

/** A product: its full specification if the exchange offers one, otherwise what other responses reveal about it. */
export const DeskProduct = partialRow(
  'DeskProduct',
  row('DeskProduct', 'A product.', {
    ...ProductSpec.properties,
    doubts: optional(
      list(
        row('SpecificationDoubt', 'A term that contradicts the product’s symbol or another term.', {
          field: text('The term. It is left out of the specification, unless it names the product.'),
          reason: text('The contradiction, in a sentence.'),
        }),
      ),
    ),
  }),
  ['product_id'],
);
export type DeskProduct = Static<typeof DeskProduct>;

/** `GET /api/desk/products`: the list of all products. */
export const DeskProducts = row('DeskProducts', 'All products.', {
  source: openEnum(
    ['product/specs', 'learnt from other answers'],
    'Source of the list. Products learnt from other answers have no tick size.',
  ),
  read_at: instant('When the exchange responded; the oldest of several responses.'),
  products: list(DeskProduct),
});
export type DeskProducts = Static<typeof DeskProducts>;

const fromVenue = { access: 'public', waitsForVenue: true, keyFields: [] } as const;
const fromDesk = { ...fromVenue, waitsForVenue: false } as const;
const ofJournal = { ...fromDesk, access: 'signed', reuseSeconds: 5 } as const;

/**
 * Perpdesk's own endpoints: path, query parameters, schema, the list whose rows are checked one by one, the key fields
 * of those rows, how many seconds a response is fresh, and whether it may depend on the exchange. As in the endpoint
 * table, browsers must not store responses of `signed` endpoints.
 */
export const DESK_ENDPOINTS = {
  working: {
    ...fromVenue,
    access: 'signed',
    path: `${API_PREFIX}/desk/working`,
    query: orderFilters,
    response: DeskWorking,
    rows: 'orders',
    reuseSeconds: ENDPOINTS.ordersWorking.reuseSeconds,
  },
  products: {
    ...fromVenue,
    path: `${API_PREFIX}/desk/products`,
    query: {},
    response: DeskProducts,
    rows: 'products',
    keyFields: ENDPOINTS.productSpecs.rows.keyFields,
    // Based on specifications, which change daily at most.
    reuseSeconds: ENDPOINTS.productSpecs.reuseSeconds,
  },
  funding: {
    ...fromVenue,
    path: `${API_PREFIX}/desk/funding`,
    query: deskFundingQuery,
    response: DeskFunding,
    rows: 'perpetuals',
    reuseSeconds: 30,
  },
  estimates: {
    ...fromDesk,
    path: `${API_PREFIX}/desk/estimates`,
    query: deskEstimatesQuery,
    response: DeskEstimates,
    rows: 'estimates',
    reuseSeconds: 60,
  },
  aliases: {
    ...fromDesk,
    access: 'signed',
    path: `${API_PREFIX}/desk/aliases`,
    query: {},
    response: DeskAliases,
    rows: 'aliases',
    keyFields: ['alias'],
    reuseSeconds: 60,
  },
  journal: {
    ...ofJournal,
    path: `${API_PREFIX}/desk/journal`,
    query: journalQuery,
    response: DeskJournal,
    rows: 'gaps',
  },
  journalChanges: {
    ...ofJournal,
    path: `${API_PREFIX}/desk/journal/changes`,
    query: journalChangesQuery,
    response: DeskJournalChanges,
    rows: 'changes',
  },
  journalActivity: {
    ...ofJournal,
    path: `${API_PREFIX}/desk/journal/activity`,
    query: journalActivityQuery,
    response: DeskJournalActivity,
    rows: 'groups',
  },
  journalOrder: {
    ...ofJournal,
    path: `${API_PREFIX}/desk/journal/order`,
    query: journalOrderQuery,
    response: DeskJournalOrder,
    rows: 'changes',
  },
  journalBook: {
    ...ofJournal,
    path: `${API_PREFIX}/desk/journal/book`,
    query: journalBookQuery,
    response: DeskJournalBook,
    rows: 'orders',
    keyFields: ['id'],
  },
  journalPrices: {
    ...fromDesk,
    path: `${API_PREFIX}/desk/journal/prices`,
    query: journalPricesQuery,
    response: DeskJournalPrices,
    rows: 'prices',
    keyFields: ['product_id'],
    reuseSeconds: 5,
  },
  observedPrices: {
    ...fromDesk,
    path: `${API_PREFIX}/desk/journal/observed`,
    query: observedPricesQuery,
    response: DeskObservedPrices,
    rows: 'prices',
    keyFields: ['read_at'],
    reuseSeconds: 5,
  },
  calls: {
    ...fromDesk,
    access: 'signed',
    path: `${API_PREFIX}/desk/calls`,
    query: {},
    response: DeskNotifications,
    rows: 'channels',
    keyFields: ['name'],
    reuseSeconds: 5,
  },
  callDeliveries: {
    ...fromDesk,
    access: 'signed',
    path: `${API_PREFIX}/desk/calls/deliveries`,
    query: deliveriesQuery,
    response: DeskDeliveries,
    rows: 'deliveries',
    keyFields: ['number'],
    reuseSeconds: 5,
  },
  status: {
    ...fromDesk,
    path: `${API_PREFIX}/desk/status`,
    query: {},
    response: DeskStatus,
    rows: 'endpoints',
    reuseSeconds: 5,
  },
  policy: {
    ...fromDesk,
    path: `${API_PREFIX}/desk/policy`,
    query: {},
    response: DeskPolicy,
    rows: 'endpoints',
    reuseSeconds: 3_600,
  },
} as const;
