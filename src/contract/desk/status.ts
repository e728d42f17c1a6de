import { flag, instant, integer, number, productId, ratePerInterval, text } from '../exchange/fields.ts';
import { list, nullable, openEnum, optional, row, type Static } from '../exchange/schema.ts';

const PastFailure = row('PastFailure', 'Why a request failed.', {
  at: instant('When it failed.'),
  type: text('Problem type as in a problem document, without its prefix.'),
  detail: text('What happened, in a sentence.'),
});

const VenueStatus = row('VenueStatus', 'The exchange as Perpdesk sees it.', {
  name: text('Name of its profile.'),
  env: text('Environment of the private endpoints; `simulated` for the exchange that comes with Perpdesk.'),
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
  used: integer(
    'Requests that count against the budget now; without the role admin, rounded up to a tenth of the limit.',
  ),
  next_back_at: nullable(instant('When the next of them stops counting; null if unknown.')),
  all_back_at: nullable(
    instant(
      'When all of them stop counting; null if none was sent or one is in flight, since a request counts ' +
        'until a window after its response.',
    ),
  ),
  waiting: integer('Reads that wait for a permit; without the role admin, rounded up likewise.'),
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

const CacheStatus = row('CacheStatus', 'Responses since the start, by cache outcome; null without the role admin.', {
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

const NewestRevision = row('NewestRevision', 'Another rate that the exchange has published for an interval.', {
  interval_end: instant('End of the interval.'),
  before: ratePerInterval('The other rate.'),
});

const FundingCost = row('FundingCost', 'Requests spent on the settled funding of a perpetual.', {
  base_symbol: text('Base symbol.'),
  product_id: productId('The perpetual.'),
  prints: nullable(integer('Settled rates in the store; null without the role admin.')),
  reads: nullable(integer('Requests to the exchange in total, earlier starts included; null without the role admin.')),
  last_read_at: nullable(instant('When they were last read; null if never, and without the role admin.')),
  revised: optional(nullable(NewestRevision)),
});

const LiveStatus = row('LiveStatus', 'What is pushed to screens.', {
  streams: integer(
    'Live streams: one for each browser that has a screen open; without the role admin, those of the viewer.',
  ),
  topics: list(
    row(
      'LiveTopic',
      'A topic that a stream follows, or followed a moment ago. It is read once for all streams. Without ' +
        'the role admin, only public topics that a stream of the viewer follows, and only those streams count.',
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
const DeskMember = row('DeskMember', 'One of the desks that share a database.', {
  name: text('Name of the desk.'),
  leads: flag('Whether it is the leader, which reads for all and evaluates rules.'),
  is_this: flag('Whether it is the one that responds.'),
  version: text('Its version.'),
  started_at: instant('When it started, on its own clock.'),
  streams: integer('Live streams that it serves.'),
});

export const DeskStatus = row(
  'DeskStatus',
  'State of Perpdesk and of its exchange. Without the role admin, it says nothing of private endpoints or of ' +
    'what others read, and no failure in words: `answers` is null, `endpoints` is empty, and `funding` lists only ' +
    'perpetuals of which a rate was revised.',
  {
    now: instant('Time on Perpdesk’s clock.'),
    started_at: instant('When it started.'),
    version: optional(text('Version of this Perpdesk.')),
    venue: VenueStatus,
    budget: BudgetStatus,
    answers: nullable(CacheStatus),
    endpoints: list(EndpointStatus),
    store: StoreStatus,
    desks: nullable(list(DeskMember)),
    funding: nullable(list(FundingCost)),
    live: LiveStatus,
    journal: JournalStatus,
    self_test: nullable(SelfTest),
  },
);
export type DeskStatus = Static<typeof DeskStatus>;
