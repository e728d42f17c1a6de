import type { IncomingMessage, ServerResponse } from 'node:http';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { ENDPOINTS } from '#contract/endpoints.ts';
import { LARGEST_LIMIT } from '#contract/parameters.ts';
import type { VenueProfile } from '#contract/venues.ts';
import type { AnsweredRequest } from '../front/api.ts';
import { guard, whenGone } from '../front/guard.ts';
import { sendFailure, sendProblem } from '../front/problem-document.ts';
import { createTextSender, type SendText } from '../front/send-text.ts';
import { VenueFailure, type Ledger, type Purpose, type Question, type Reader, type Venue } from '../ports.ts';
import { isProblem, readQuestion, toQuestion } from '../question.ts';
import type { Activity } from './activity.ts';
import { createAsk, readDirectory } from './directory.ts';
import { formatMetrics } from './metrics.ts';
import { describePolicy } from './policy.ts';
import { parseRows } from './rows.ts';
import { describeStatus } from './status.ts';
import { isReady, type Watch } from './watch.ts';
import { readWorkingSet } from './working.ts';
import type { Filter, SplitParts } from './working-parts.ts';

export interface OwnApiParts {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly activity: Activity;
  readonly watch: Pick<Watch, 'lastSelfTest'>;
  readonly startedAt: number;
  readonly now: () => number;
  readonly residentBytes: () => number;
  readonly nextRequestId: () => string;
  readonly report: (request: AnsweredRequest) => void;
}

/** What the gateway says of itself and puts together itself. Undefined: the path is not one of these. */
export interface OwnApi {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;
}

interface Asked {
  readonly rawQuery: string;
  readonly signal: AbortSignal;
}

interface Said {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

type Answering = (asked: Asked) => Said | Promise<Said>;

export function createOwnApi(parts: OwnApiParts): OwnApi {
  const pages: Readonly<Record<string, Answering>> = {
    [DESK_ANSWERS.products.path]: async ({ signal }) => json(await readDirectory(directoryParts(parts), signal)),
    [DESK_ANSWERS.working.path]: (asked) => answerWorking(parts, asked),
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
    const problem = guard(request) ?? (path === DESK_ANSWERS.working.path || rawQuery === '' ? null : noParameters);
    if (problem !== null) return { status: sendProblem(response, problem, requestId), how: problem.type };
    try {
      const { status = 200, type = 'application/json', text } = await page({ rawQuery, signal: whenGone(response) });
      return { status: await sendText(request, response, { status, type, text, requestId }), how: 'own' };
    } catch (error) {
      return sendFailure(response, error, requestId);
    }
  }
}

const noParameters = { type: 'bad-parameter', detail: 'There are no parameters here.' } as const;

function json(value: object): Said {
  return { text: JSON.stringify(value) };
}

function directoryParts({ reader, profile }: OwnApiParts) {
  return { ask: createAsk(reader, (name) => toQuestion(profile, name, {}, [])) };
}

/** With the filters of the working orders: the same grammar, the same refusals. */
async function answerWorking(parts: OwnApiParts, { rawQuery, signal }: Asked): Promise<Said> {
  const question = readQuestion(ENDPOINTS.ordersWorking.path, rawQuery, parts.profile);
  if (isProblem(question)) throw new VenueFailure(question);
  return { text: await readWorkingSet(splitParts(parts, signal), Object.fromEntries(question.query)) };
}

function splitParts(parts: OwnApiParts, signal: AbortSignal): SplitParts {
  const { profile, reader } = parts;
  const ask = (question: Question, purpose: Purpose) => reader.ask(question, { purpose, signal });
  return {
    ask: (filter: Filter) => ask(toQuestion(profile, 'ordersWorking', {}, Object.entries(filter)), 'working'),
    directory: () => readDirectory(directoryParts(parts), signal),
    accounts: async () => {
      const { answer } = await ask(toQuestion(profile, 'orders', {}, [['limit', String(LARGEST_LIMIT)]]), 'working');
      return [...new Set(parseRows(answer).map((row) => String(row['account_id'])))].sort();
    },
  };
}

function readiness(venue: Venue): Said {
  const type = 'text/plain; charset=utf-8';
  if (isReady(venue)) return { type, text: 'ready\n' };
  return { status: 503, type, text: `not ready: ${venue.state().lastFailure?.problem.detail ?? 'the venue has not answered yet'}\n` };
}

function measure({ venue, ledger, reader, activity, residentBytes }: OwnApiParts) {
  return { requests: activity.counts(), ledger: ledger.state(), reader: reader.state(), venue: venue.state(), residentBytes: residentBytes() };
}
