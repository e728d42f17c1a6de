import { DeskAliases } from './aliases.ts';
import { deliveriesQuery, DeskDeliveries, DeskNotifications } from './notifications.ts';
import { DeskPolicy } from './policy.ts';
import { DeskEstimates, DeskFunding } from './funding.ts';
import {
  DeskJournal,
  DeskJournalActivity,
  DeskJournalBook,
  DeskJournalChanges,
  DeskJournalOrder,
  journalActivityQuery,
  journalBookQuery,
  journalChangesQuery,
  journalOrderQuery,
  journalQuery,
} from './journal.ts';
import { ENDPOINTS } from '../exchange/endpoints.ts';
import { flag, instant, integer, number, productId, text } from '../exchange/fields.ts';
import { WORKING_ORDERS_LIMIT_TEXT, WorkingOrder } from '../exchange/order.ts';
import { baseSymbol, deskFundingQuery, orderFilters } from '../exchange/parameters.ts';
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
        'and no drop is in doubt.',
    ),
    unproven: list(text('Why the set cannot be proven complete, in a sentence.')),
    drop: optional(nullable(WorkingDrop)),
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
export const DeskProduct = partialRow('DeskProduct', ProductSpec, ['product_id']);
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

const PastFailure = row('PastFailure', 'Why a request failed.', {
  at: instant('When it failed.'),
  type: text('Problem type as in a problem document, without its prefix.'),
  detail: text('What happened, in a sentence.'),
});

const VenueStatus = row('VenueStatus', 'The exchange as Perpdesk sees it.', {
  name: text('Name of its profile.'),
  env: text('Environment of the private endpoints.'),
  base_url: text('Base URL.'),
  clock_offset_ms: nullable(
    number(
      'How far its clock is ahead of this machine’s, in milliseconds; null before its first response ' +
        'with a usable date.',
    ),
  ),
  ignored_date: nullable(
    text(
      'The date of its last response, if that is no HTTP date of the years 2000 to 2099: such a date is ' +
        'ignored. Otherwise null.',
    ),
  ),
  circuit: openEnum(
    ['closed', 'open', 'half-open'],
    'Circuit breaker. Open: reads are paused after repeated failures. Half-open: one health probe is out.',
  ),
  retry_at: nullable(
    instant(
      'When paused reads may be tried again, on Perpdesk’s clock; null while none are paused, or while a ' +
        'health probe is out.',
    ),
  ),
  last_answer_at: nullable(instant('When it last responded.')),
  last_failure: nullable(PastFailure),
  last_refusal: nullable(PastFailure),
});

const BudgetStatus = row('BudgetStatus', 'The request budget of the exchange.', {
  limit: nullable(
    row('BudgetLimit', 'The limit; null if there is none.', {
      requests: integer('Requests allowed per window.'),
      seconds: integer('Window length in seconds.'),
      reserve: integer('Requests reserved for interactive reads.'),
    }),
  ),
  used: integer('Requests that count against the budget now.'),
  next_back_at: nullable(instant('When the next of them stops counting; null if unknown.')),
  all_back_at: nullable(
    instant(
      'When all of them stop counting; null if none was sent or one is in flight, since a request counts ' +
        'until a window after its response.',
    ),
  ),
  waiting: integer('Reads that wait for a permit.'),
  by_purpose: nullable(
    row('PurposeCounts', 'Requests that count against the budget, by purpose; null without the role admin.', {
      interactive: integer('Reads that a person waits for.'),
      working: integer('Working orders.'),
      trailing: integer('Statistics of the last 24 hours.'),
      estimates: integer('Predicted funding rates.'),
      history: integer('Past prices, rates and orders.'),
      prefetch: integer('Reads ahead of need.'),
    }),
  ),
});

const CacheSize = row('CacheSize', 'Cached responses.', {
  answers: integer('Number of responses.'),
  bytes: integer('Their size, uncompressed.'),
});

const FailureCount = row(
  'FailureCount',
  'Requests without a new response, since the start, for one cause: the exchange failed or rejected ' +
    'them, or the request budget was spent.',
  {
    stale: integer('Served from the cache, past their freshness.'),
    failed: integer('Failed.'),
    first_at: nullable(instant('When the first of them was.')),
    last_at: nullable(instant('When the last of them was.')),
  },
);

const CacheStatus = row('CacheStatus', 'Responses since the start, by cache outcome.', {
  hit: integer('From memory.'),
  disk_hit: integer('From disk: final, never read again.'),
  coalesced: integer('From a read that was already under way.'),
  miss: integer('Read from the exchange.'),
  stale: integer('Past their freshness, served because the exchange failed or the budget was spent.'),
  failed: integer('Failed: a problem was returned instead.'),
  causes: row('FailureCauses', 'The stale and the failed ones by their cause.', {
    venue: FailureCount,
    budget: FailureCount,
  }),
  in_memory: CacheSize,
  on_disk: CacheSize,
});

const EndpointStatus = row('EndpointStatus', 'One endpoint since the start.', {
  endpoint: text('Name in the endpoint table.'),
  asked: integer('Requests from pages.'),
  failed: integer('Requests that failed.'),
  over_budget: integer('How many of them failed because the request budget was spent.'),
  last_at: nullable(instant('When it was last requested.')),
  last_status: nullable(integer('HTTP status of the last response.')),
  last_how: nullable(text('Cache outcome of the last response, or its problem type.')),
  venue_at: nullable(
    instant('When the exchange last responded to it, requested by a page or by Perpdesk itself; null if never.'),
  ),
  venue_ms: nullable(number('How long that read took in milliseconds, time in the queue included.')),
});

const SelfTest = row('SelfTest', 'Checks of the exchange at startup.', {
  at: instant('When they were done.'),
  rows: list(
    row('SelfTestRow', 'One check.', {
      subject: text('The clock, or the path of an endpoint.'),
      outcome: openEnum(
        ['good', 'drift', 'failed', 'not offered', 'not tried'],
        'Result. Drift: it works, but has changed.',
      ),
      remark: text('What was found, and if something is wrong, what to change.'),
    }),
  ),
});

const FundingCost = row('FundingCost', 'Requests spent on the settled funding of a perpetual.', {
  base_symbol: text('Base symbol.'),
  product_id: productId('The perpetual.'),
  prints: integer('Settled rates in the store.'),
  reads: integer('Requests to the exchange in total, earlier starts included.'),
  last_read_at: nullable(instant('When they were last read; null if never.')),
});

const LiveStatus = row('LiveStatus', 'What is pushed to screens.', {
  streams: integer('Live streams: one for each browser that has a screen open.'),
  topics: list(
    row(
      'LiveTopic',
      'A topic that a stream follows, or followed a moment ago. It is read once for all streams. Without ' +
        'the role admin, only public topics.',
      {
        topic: text(
          'Its name, with its parameters after a question mark; accounts, firms and connections are ' +
            'named by their aliases.',
        ),
        followers: integer('Streams that follow it.'),
        every_seconds: number(
          'Seconds from the end of one reading to the start of the next, as planned from the request budget.',
        ),
        least_seconds: number('The same if the budget allows.'),
        watched_seconds: nullable(
          number('How often Perpdesk reads it for its journal while no stream follows it; null: not at all.'),
        ),
        requests: nullable(integer('Requests to the exchange that one reading takes; null before the first time.')),
        read_at: nullable(instant('When it was last read; null before the first time.')),
      },
    ),
  ),
});

const JournalStatus = row('JournalStatus', 'The journal of working orders.', {
  kept_from: nullable(instant('When it begins; null if it is empty, and without the role orders or admin.')),
  read_to: nullable(
    instant('The last reading of the working set; null if there is none, and without the role orders or admin.'),
  ),
  changes: nullable(integer('Changes in it; null without the role admin.')),
  bytes: nullable(integer('Size of its sealed part; null without the role admin.')),
  max_bytes: integer('Beyond it, the oldest changes are dropped.'),
});

const StoreStatus = row(
  'StoreStatus',
  'The database of cached responses, settled and predicted rates, spent permits and codes of owners.',
  {
    kind: openEnum(['SQLite', 'PostgreSQL'], 'A file in the data folder, or a database of its own.'),
    place: text('Path of the file, or address of the database without its password; empty without the role admin.'),
    failed_writes: integer('Writes that failed since the start.'),
    last_failure: nullable(PastFailure),
  },
);

/** `GET /api/desk/status`. Counters start at zero whenever Perpdesk starts. */
export const DeskStatus = row(
  'DeskStatus',
  'State of Perpdesk and of its exchange. Without the role admin, it says nothing of private ' +
    'endpoints, and no failure in words.',
  {
    now: instant('Time on Perpdesk’s clock.'),
    started_at: instant('When it started.'),
    version: optional(text('Version of this Perpdesk.')),
    venue: VenueStatus,
    budget: BudgetStatus,
    answers: CacheStatus,
    endpoints: list(EndpointStatus),
    store: StoreStatus,
    funding: nullable(list(FundingCost)),
    live: LiveStatus,
    journal: JournalStatus,
    self_test: nullable(SelfTest),
  },
);
export type DeskStatus = Static<typeof DeskStatus>;

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
    query: { base_symbol: baseSymbol },
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
