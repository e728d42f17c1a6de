import type { IncomingMessage, ServerResponse } from 'node:http';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/order.ts';
import { createPageLimit, type PageLimit } from '#contract/page-limit.ts';
import { LARGEST_LIMIT } from '#contract/parameters.ts';
import type { VenueProfile } from '#contract/venues.ts';
import type { Disk } from '../disk.ts';
import type { AnsweredRequest } from '../front/api.ts';
import { guard, whenGone } from '../front/guard.ts';
import { pagePurposeOf } from '../front/page-purpose.ts';
import { sendFailure, sendProblem } from '../front/problem-document.ts';
import { formatAge, formatCacheStatus } from '../front/send-answer.ts';
import { createTextSender, type SendText } from '../front/send-text.ts';
import { isRefusedQuestion, type Ledger, type Purpose, type Question, type Reader, type ReadOptions, type Venue } from '../ports.ts';
import { isProblem, readPairs, toLimitPairs, toQuestion } from '../question.ts';
import { parseRows } from '../rows.ts';
import type { Activity } from './activity.ts';
import { createAsk, readDirectory, type DirectoryParts } from './directory.ts';
import { formatMetrics } from './metrics.ts';
import { answerEstimates, answerFunding } from './funding/answer-funding.ts';
import type { EstimateStore } from './funding/estimate-store.ts';
import type { FundingBook } from './funding/funding-book.ts';
import { toPerpetuals } from './funding/open-funding.ts';
import { describePolicy } from './policy.ts';
import type { Provenance } from './provenance.ts';
import { describeStatus } from './status.ts';
import { isReady, type Watch } from './watch.ts';
import { describeWorkingSet, provenanceOfSplit } from './working.ts';
import { toPart, type Filter, type SplitParts } from './working-parts.ts';
import { createWorkingSets, type WorkingSets } from './working-sets.ts';

export interface OwnApiParts {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly disk: Pick<Disk, 'failedWrites'>;
  readonly activity: Activity;
  readonly funding: FundingBook;
  readonly estimates: EstimateStore;
  readonly watch: Pick<Watch, 'lastSelfTest'>;
  readonly startedAt: number;
  readonly now: () => number;
  /** Goes on evenly, however `now` is set. */
  readonly elapsed: () => number;
  readonly residentBytes: () => number;
  readonly nextRequestId: () => string;
  readonly report: (request: AnsweredRequest) => void;
}

/** What the gateway says of itself and puts together itself. Undefined: the path is not one of these. */
export interface OwnApi {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;
}

interface Asked {
  readonly query: readonly (readonly [name: string, value: string])[];
  /** What the page says that it is for. */
  readonly purpose: Purpose | undefined;
  readonly signal: AbortSignal;
}

interface Said {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
  /** Where the venue's answers in it came from. */
  readonly provenance?: Provenance | undefined;
}

type Answering = (asked: Asked) => Said | Promise<Said>;

export function createOwnApi(parts: OwnApiParts): OwnApi {
  const withLimit = createPageLimit(isRefusedQuestion);
  const asking = (options: ReadOptions) => splitParts(parts, options, withLimit);
  const workingSets = createWorkingSets({ limit: parts.ledger.state().limit, now: parts.now, elapsed: parts.elapsed, asking });
  const pages: Readonly<Record<string, Answering>> = {
    [DESK_ANSWERS.products.path]: async ({ signal, purpose }) => {
      const { directory, provenance } = await readDirectory(directoryParts(parts, purpose), signal);
      return { ...json(directory), provenance };
    },
    [DESK_ANSWERS.working.path]: (asked) => answerWorking(parts, workingSets, asked),
    [DESK_ANSWERS.funding.path]: async ({ query, purpose }) => ({ text: await answerFunding(fundingParts(parts, purpose), Object.fromEntries(query)) }),
    [DESK_ANSWERS.estimates.path]: ({ query: [first] }) => ({ text: answerEstimates(parts.estimates, first?.[1] ?? null) }),
    [DESK_ANSWERS.status.path]: () => json(describeStatus(parts)),
    [DESK_ANSWERS.policy.path]: () => json(describePolicy(parts.profile)),
    '/healthz': () => ({ type: 'text/plain; charset=utf-8', text: 'ok\n' }),
    '/readyz': () => readiness(parts.venue),
    '/metrics': () => ({ type: 'text/plain; version=0.0.4; charset=utf-8', text: formatMetrics(measure(parts)) }),
  };
  const sendText = createTextSender();
  return {
    handle: (request, response) => {
      const { path, rawQuery } = splitTarget(request.url ?? '');
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
      return page && answer(parts, { path, rawQuery, page, request, response, sendText });
    },
  };
}

/** At the first question mark: any other is a part of a value. */
function splitTarget(target: string): { readonly path: string; readonly rawQuery: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, rawQuery: '' } : { path: target.slice(0, mark), rawQuery: target.slice(mark + 1) };
}

interface Exchange {
  readonly path: string;
  readonly rawQuery: string;
  readonly page: Answering;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sendText: SendText;
}

async function answer(parts: OwnApiParts, { path, rawQuery, page, request, response, sendText }: Exchange): Promise<void> {
  const begunAt = parts.now();
  const requestId = parts.nextRequestId();
  const outcome = await say();
  parts.report({ requestId, method: request.method ?? '', endpoint: path, tookMs: parts.now() - begunAt, ...outcome });

  async function say(): Promise<Pick<AnsweredRequest, 'status' | 'how' | 'error'>> {
    const query = guard(request) ?? readParameters(path, rawQuery);
    if (isProblem(query)) return { status: sendProblem(response, query, requestId), how: query.type };
    try {
      const { status = 200, type = 'application/json', text, provenance } = await page({ query, purpose: pagePurposeOf(request), signal: whenGone(response) });
      const headers = describeAge(provenance, parts.now());
      return { status: await sendText(request, response, { status, type, text, requestId, headers }), how: 'own' };
    } catch (error) {
      return sendFailure(response, error, requestId);
    }
  }
}

function describeAge(provenance: Provenance | undefined, now: number): Readonly<Record<string, string>> {
  return provenance === undefined ? {} : { age: formatAge(provenance.answeredAt, now), 'cache-status': formatCacheStatus(provenance) };
}

const PARAMETERS: Readonly<Record<string, Endpoint['query']>> = Object.fromEntries(
  Object.values(DESK_ANSWERS).map(({ path, query }) => [path, query]),
);

function readParameters(path: string, rawQuery: string): ReturnType<typeof readPairs> {
  const known = PARAMETERS[path] ?? {};
  if (rawQuery !== '' && Object.keys(known).length === 0) return noParameters;
  return readPairs(path, known, rawQuery);
}

const noParameters = { type: 'bad-parameter', detail: 'There are no parameters here.' } as const;

function json(value: object): Said {
  return { text: JSON.stringify(value) };
}

function directoryParts({ reader, profile }: OwnApiParts, purpose: Asked['purpose']) {
  return { ask: createAsk(reader, (name) => toQuestion(profile, name, {}, []), purpose) };
}

async function answerWorking({ profile, now }: OwnApiParts, workingSets: WorkingSets, { query: pairs, purpose, signal }: Asked): Promise<Said> {
  const { query, endpoint } = toQuestion(profile, 'ordersWorking', {}, pairs);
  const split = await workingSets.read(Object.fromEntries(query), { purpose: purpose ?? endpoint.purpose, signal });
  return { text: describeWorkingSet(split, now()), provenance: provenanceOfSplit(split, endpoint.reuseSeconds) };
}

function fundingParts(parts: OwnApiParts, purpose: Asked['purpose']) {
  // Kept for all who ask: it goes on when one of them leaves.
  const { signal } = new AbortController();
  const perpetuals = async () => toPerpetuals((await readDirectory(directoryParts(parts, purpose), signal)).directory);
  return { book: parts.funding, perpetuals, purpose: purpose ?? ENDPOINTS.fundingRates.purpose };
}

function splitParts(parts: OwnApiParts, { purpose, signal }: ReadOptions, withLimit: PageLimit): SplitParts {
  const { profile, reader } = parts;
  const ask = (question: Question, again?: 'again') => reader.ask(question, { purpose, signal, again: again !== undefined });
  return {
    ask: async (filter: Filter, again) => toPart(filter, await ask(toQuestion(profile, 'ordersWorking', {}, Object.entries(filter)), again)),
    mostAtOnce: WORKING_ORDERS_LIMIT,
    directory: () => readDirectory({ ask: askForSplit(parts, purpose) }, signal),
    accounts: async () => {
      const { answer } = await withLimit(LARGEST_LIMIT.orders, (limit) => ask(toQuestion(profile, 'orders', {}, toLimitPairs(limit))));
      return [...new Set(parseRows(answer).map((row) => String(row['account_id'])))].sort();
    },
  };
}

/** Specifications may be used for an hour, in which a product may have been listed: its orders would be in no part. */
function askForSplit({ profile, reader }: OwnApiParts, purpose: Purpose): DirectoryParts['ask'] {
  return (name, signal) => reader.ask(toQuestion(profile, name, {}, []), { purpose, signal, again: name === 'productSpecs' });
}

function readiness(venue: Venue): Said {
  const type = 'text/plain; charset=utf-8';
  if (isReady(venue)) return { type, text: 'ready\n' };
  return { status: 503, type, text: `not ready: ${venue.state().lastFailure?.problem.detail ?? 'the venue has not answered yet'}\n` };
}

function measure({ venue, ledger, reader, activity, disk, residentBytes }: OwnApiParts) {
  return {
    requests: activity.counts(),
    ledger: ledger.state(),
    reader: reader.state(),
    venue: venue.state(),
    failedWrites: disk.failedWrites(),
    residentBytes: residentBytes(),
  };
}
