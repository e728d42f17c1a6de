import { DeskPolicy } from './desk-policy.ts';
import { DeskEstimates, DeskFunding } from './desk-funding.ts';
import { ENDPOINTS } from './endpoints.ts';
import { flag, instant, integer, number, productId, text } from './fields.ts';
import { Order } from './order.ts';
import { deskFundingQuery, orderFilters, baseSymbol } from './parameter-sets.ts';
import { ProductSpec } from './product.ts';
import { list, nullable, optional, partly, row, word, type Static } from './schema.ts';

/**
 * What the desk answers of its own, beside the venue's answers that it passes on: for the pages, not for the venue.
 */

/** The desk answers a path of the interface below this: `/api/orders/working`. */
export const API_PREFIX = '/api';

/** The instant at which the venue had answered, ISO 8601, on every answer of the venue that is passed on. */
export const ANSWERED_AT_HEADER = 'desk-answered-at';
/** The request's name in the log; also `instance` of a problem document. */
export const REQUEST_ID_HEADER = 'desk-request-id';
/** What a page may say of its request: a person waits for it, or nobody does yet. */
export const PURPOSE_HEADER = 'desk-purpose';
/** A page may ask for these in place of the purpose in the table of endpoints. */
export const PAGE_PURPOSES = ['click', 'prefetch'] as const;

/** The filters of working orders that a part of the working set was read with. */
const PartFilter = row('PartFilter', 'The filters a part was asked for with.', {
  symbol: optional(text('Product symbol.')),
  product_id: optional(text('Product id.')),
  product_type: optional(text('Kind of product.')),
  clearing_member_code: optional(text('Short name of the clearing firm.')),
  account_id: optional(text('Account code.')),
  connection_id: optional(text('Connection that sent the orders.')),
});

/**
 * `GET /api/desk/working`: all resting orders, with what proves that they are all. The venue refuses more than 10,000 in
 * one answer; then they are read in parts.
 */
export const DeskWorking = row('DeskWorking', 'The working set with its proof.', {
  complete: flag('Whether every part was read, none overlaps another and each order is what its part asked for.'),
  unproven: list(text('A sentence: what keeps the set from being proven complete.')),
  parts: list(
    row('WorkingPart', 'One read of the venue.', {
      filter: PartFilter,
      count: integer('Orders in it, 0 to 10,000.'),
      read_at: instant('When the venue had answered.'),
    }),
  ),
  read_from: nullable(instant('When the first part was read; null where none was.')),
  round_seconds: nullable(integer('Within how many seconds every part is read again, as fast as the request budget allows; null where one read is enough.')),
  read_to: nullable(instant('When the last part was read. What moved meanwhile may be in two parts or in none.')),
  orders: list(Order),
});
export type DeskWorking = Static<typeof DeskWorking>;

/** A product as far as it is known: all of its specification where the venue offers those, else what other answers teach. */
export const DeskProduct = partly('DeskProduct', ProductSpec, ['product_id']);
export type DeskProduct = Static<typeof DeskProduct>;

/** `GET /api/desk/products`: the directory of products. */
export const DeskProducts = row('DeskProducts', 'The products there are.', {
  source: word(
    ['product/specs', 'learnt from other answers'],
    'Where they are known from. Learnt ones have no increment.',
  ),
  read_at: instant('When the venue had answered; the oldest of several answers.'),
  products: list(DeskProduct),
});
export type DeskProducts = Static<typeof DeskProducts>;

const PastFailure = row('PastFailure', 'Why a question was not answered.', {
  at: instant('When.'),
  type: text('Type of problem, as in a problem document, without its prefix.'),
  detail: text('A sentence for people.'),
});

const VenueStatus = row('VenueStatus', 'The venue, as the gateway sees it.', {
  name: text('Name of its profile.'),
  env: text('Environment of the private endpoints.'),
  base_url: text('Where it is.'),
  clock_offset_ms: nullable(
    number('How far its clock is ahead of ours, in milliseconds; null before its first answer.'),
  ),
  circuit: word(['closed', 'open', 'half-open'], 'Open: nothing is asked for a while, because too much failed.'),
  last_answer_at: nullable(instant('When it last answered.')),
  last_failure: nullable(PastFailure),
  last_refusal: nullable(PastFailure),
});

const BudgetStatus = row('BudgetStatus', 'Requests to the venue.', {
  limit: nullable(
    row('BudgetLimit', 'What is allowed; null where nothing limits.', {
      requests: integer('At most so many'),
      seconds: integer('in any stretch of so many seconds,'),
      reserve: integer('of which so many are kept for what a person waits for.'),
    }),
  ),
  used: integer('Sent within the last such stretch.'),
  next_back_at: nullable(instant('When the next of them may be spent again; null where none is known to come back.')),
  all_back_at: nullable(instant('When all of them may; null where none was sent, and while an answer is out: they count from their answers.')),
  waiting: integer('Questions that wait for their turn.'),
  by_purpose: row('PurposeCounts', 'Of those sent, how many for what.', {
    click: integer('A person waits for it.'),
    working: integer('Working orders.'),
    trailing: integer('Statistics of the last 24 hours.'),
    estimates: integer('Funding in progress.'),
    history: integer('Days, rates and orders of the past.'),
    prefetch: integer('Nobody waits for it yet.'),
  }),
});

const Stock = row('Stock', 'Answers that need not be asked for again.', {
  answers: integer('How many.'),
  bytes: integer('Their size, not compressed.'),
});

const AnswersStatus = row('AnswersStatus', 'Where answers came from since the start.', {
  hit: integer('From memory.'),
  kept: integer('From disk, settled for good.'),
  joined: integer('From a read that somebody else had begun.'),
  miss: integer('From the venue.'),
  stale: integer('Old ones, because the venue failed.'),
  failed: integer('None: a problem was told instead.'),
  in_memory: Stock,
  on_disk: Stock,
});

const EndpointStatus = row('EndpointStatus', 'One endpoint, since the start.', {
  endpoint: text('Its name in the table of endpoints.'),
  asked: integer('Requests of pages.'),
  failed: integer('Of these, answered by a problem.'),
  last_at: nullable(instant('When it was last asked for.')),
  last_status: nullable(integer('HTTP status of that answer.')),
  last_how: nullable(text('Where that answer came from.')),
  venue_at: nullable(instant('When the venue last answered it, whoever asked: a page, or the desk by itself. Null: not yet.')),
  venue_ms: nullable(number('How long that took in milliseconds, waiting for a turn included.')),
});

const SelfTest = row('SelfTest', 'What was tried on the venue when the desk started.', {
  at: instant('When it was done.'),
  rows: list(
    row('SelfTestRow', 'One thing that was tried.', {
      subject: text('The clock, or the path of an endpoint.'),
      outcome: word(
        ['good', 'drift', 'failed', 'not offered', 'not tried'],
        'How it went; drift: it works, but has changed.',
      ),
      remark: text('A sentence: what was found, and where something is wrong, what to change.'),
    }),
  ),
});

const FundingCost = row('FundingCost', 'What the settled funding of a perpetual has cost upstream.', {
  base_symbol: text('Its series.'),
  product_id: productId('The perpetual.'),
  prints: integer('Settled prints kept on disk.'),
  reads: integer('Requests to the venue, ever: restarts are not forgotten.'),
  last_read_at: nullable(instant('When the venue was last asked; null where it never was.')),
});

/** `GET /api/desk/status`: how the desk does. Counts begin at its start. */
export const DeskStatus = row('DeskStatus', 'How the desk does.', {
  now: instant('The desk’s clock.'),
  started_at: instant('When it started.'),
  venue: VenueStatus,
  budget: BudgetStatus,
  answers: AnswersStatus,
  endpoints: list(EndpointStatus),
  funding: list(FundingCost),
  self_test: nullable(SelfTest),
});
export type DeskStatus = Static<typeof DeskStatus>;

const fromVenue = { access: 'public', waitsForVenue: true } as const;
const fromDesk = { access: 'public', waitsForVenue: false } as const;

/**
 * The desk's own answers: where each is, what it may be asked, its schema, which list in it is judged row by row, for how
 * many seconds it is not worth asking again, and whether the venue may have to be asked for it. As in the table of
 * endpoints, of what is `signed` nothing may stay in a browser.
 */
export const DESK_ANSWERS = {
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
    // It comes from specifications, which change daily at most.
    reuseSeconds: ENDPOINTS.productSpecs.reuseSeconds,
  },
  funding: { ...fromVenue, path: `${API_PREFIX}/desk/funding`, query: deskFundingQuery, response: DeskFunding, rows: 'perpetuals', reuseSeconds: 30 },
  estimates: { ...fromDesk, path: `${API_PREFIX}/desk/estimates`, query: { base_symbol: baseSymbol }, response: DeskEstimates, rows: 'estimates', reuseSeconds: 60 },
  status: { ...fromDesk, path: `${API_PREFIX}/desk/status`, query: {}, response: DeskStatus, rows: 'endpoints', reuseSeconds: 5 },
  policy: { ...fromDesk, path: `${API_PREFIX}/desk/policy`, query: {}, response: DeskPolicy, rows: 'endpoints', reuseSeconds: 3_600 },
} as const;
