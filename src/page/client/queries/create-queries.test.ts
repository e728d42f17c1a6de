import {
  environmentManager,
  focusManager,
  onlineManager,
  QueryObserver,
  type QueryClient,
} from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromNumber } from '#contract/exchange/brand.ts';
import { RESPONDED_AT_HEADER, PURPOSE_HEADER } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { PROBLEM_PREFIX } from '#contract/desk/problems.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createApi } from '../create-api.ts';
import { createQueries, type Queries } from './create-queries.ts';
import { createQueryClient } from './create-query-client.ts';
import { NetworkError, ProblemError } from '../errors.ts';
import { createHttpClient } from '../http-client.ts';
import { READ_ONCE } from '../freshness.ts';

interface Sent {
  readonly target: string;
  readonly purpose: string | null;
  readonly signal: AbortSignal | null;
  readonly cache: RequestCache | undefined;
  readonly ifNoneMatch: string | null;
}

type Respond = (target: string) => Response | Promise<Response>;

/** The real parts of a page, with responses from the test instead of the network. */
interface Page {
  readonly client: QueryClient;
  readonly queries: Queries;
  readonly sent: Sent[];
}

let page: Page;
const now = () => Date.now();

/** Returns a timeout by the test's clock. */
function timeout(ms: number): AbortSignal {
  const deadline = new AbortController();
  setTimeout(() => {
    deadline.abort();
  }, ms);
  return deadline.signal;
}

function openPage(respond: Respond): Page {
  const sent: Sent[] = [];
  const fetch = (target: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    sent.push({
      target,
      purpose: headers.get(PURPOSE_HEADER),
      signal: init.signal ?? null,
      cache: init.cache,
      ifNoneMatch: headers.get('if-none-match'),
    });
    const { promise, reject } = Promise.withResolvers<never>();
    init.signal?.addEventListener('abort', () => {
      reject(new Error('aborted'));
    });
    return Promise.race([respond(target), promise]);
  };
  const queries = createQueries({ api: createApi(createHttpClient({ fetch, now, timeout })), now });
  page = { client: createQueryClient({ statusKey: queries.desk.status({}).queryKey }), queries, sent };
  page.client.mount();
  return page;
}

function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/json', 'age': '0', ...headers },
  });
}

function problem(type: string, status: number, retryAfter?: number): Response {
  const document = {
    type: PROBLEM_PREFIX + type,
    title: 'No.',
    status,
    detail: 'It is so.',
    instance: 'r1',
    ...(retryAfter !== undefined && { retryAfter }),
  };
  return new Response(JSON.stringify(document), { status, headers: { 'content-type': 'application/problem+json' } });
}

const later = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  environmentManager.setIsServer(() => false);
  focusManager.setFocused(true);
});

afterEach(() => {
  page.client.unmount();
  page.client.clear();
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
  environmentManager.setIsServer(() => true);
  vi.useRealTimers();
});

describe('a query on screen', () => {
  it('reads again when the gateway’s response has expired, not before', async () => {
    const { client, queries, sent } = openPage(() =>
      ok(sampleResponses.trailingStatsAll, { 'cache-status': 'perpdesk; hit; ttl=4' }),
    );
    const stop = new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(4.9);
    expect(sent).toHaveLength(1);
    await later(0.2);
    expect(sent).toHaveLength(2);
    stop();
    await later(600);
    expect(sent).toHaveLength(2);
  });

  it('makes its first read interactive, and gives later ones the endpoint’s own purpose', async () => {
    const { client, queries, sent } = openPage(() => ok(sampleResponses.trailingStatsAll));
    new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(11);
    expect(sent.map(({ purpose }) => purpose)).toEqual(['interactive', null]);
  });

  it('costs one request for two panels', async () => {
    const { client, queries, sent } = openPage(() => ok(sampleResponses.trailingStatsAll));
    for (let panel = 0; panel < 2; panel += 1)
      new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(15);
    expect(sent).toHaveLength(2);
  });

  it('never reads settled data again', async () => {
    const { client, queries, sent } = openPage(() =>
      ok(sampleResponses.chartPrice, { 'age': '86400', 'cache-status': 'perpdesk; hit; detail=disk' }),
    );
    new QueryObserver(client, queries.venue.chartPrice({ id: fromNumber(1547) })).subscribe(() => undefined);
    await later(7_200);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await later(1);
    expect(sent).toHaveLength(1);
  });

  it('is not read early when it is mounted again', async () => {
    let isSpent = false;
    const { client, queries, sent } = openPage(() =>
      isSpent ? problem('budget-spent', 429, 300) : ok(sampleResponses.trailingStatsAll),
    );
    const mount = () => new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    const unmount = mount();
    isSpent = true;
    await later(11);
    unmount();
    const before = sent.length;
    for (let turn = 0; turn < 5; turn += 1) {
      const unmountAgain = mount();
      await later(1);
      unmountAgain();
    }
    expect(sent).toHaveLength(before);
  });

  it('of a local endpoint fails where the desk hangs', async () => {
    const { client, queries } = openPage((target) =>
      target.includes('status') ? new Promise<Response>(() => undefined) : ok([]),
    );
    const status = new QueryObserver(client, queries.desk.status());
    status.subscribe(() => undefined);
    await later(30);
    expect(status.getCurrentResult().error).toBeInstanceOf(NetworkError);
  });

  it('can be slower than the endpoint’s table, never faster', async () => {
    const { client, queries, sent } = openPage(() =>
      ok(sampleResponses.fundingEstimated, { 'cache-status': 'perpdesk; fwd=miss; stored; ttl=15' }),
    );
    new QueryObserver(
      client,
      queries.venue.fundingEstimated({ base_symbol: 'BTCUC' }, { everySeconds: 120 }),
    ).subscribe(() => undefined);
    await later(119);
    expect(sent).toHaveLength(1);
    await later(2);
    expect(sent).toHaveLength(2);
  });

  it('keeps its rows while the response is unchanged', async () => {
    const { client, queries } = openPage(() => ok(sampleResponses.trailingStatsAll, { etag: '"same"' }));
    const observer = new QueryObserver(client, queries.venue.trailingStatsAll());
    observer.subscribe(() => undefined);
    await later(1);
    const before = observer.getCurrentResult().data;
    await later(10);
    const after = observer.getCurrentResult().data;
    expect(after?.receivedAt).toBeGreaterThan(before?.receivedAt ?? 0);
    expect(after?.value).toBe(before?.value);
  });

  it('keeps digits beyond float precision, also when other rows change', async () => {
    let volume = 1;
    const body = () =>
      JSON.stringify([{ ...sampleResponses.trailingStats, volume: (volume += 1) }]).replace(
        '23658',
        '23658.123456789012345678',
      );
    const { client, queries } = openPage(() => new Response(body()));
    const observer = new QueryObserver(client, queries.venue.trailingStatsAll());
    observer.subscribe(() => undefined);
    await later(25);
    const row = observer.getCurrentResult().data?.value[0];
    expect(row && [wireText(row, 'volume'), wireText(row, 'notionalVolume')]).toEqual([
      '4',
      '23658.123456789012345678',
    ]);
  });

  it.each([
    ['is repeated until one succeeds', 'desk-cannot-read', 503, 3],
    ['is not repeated where it would fail again', 'not-found', 404, 1],
  ])('of what is read once reads nothing again; a read that failed %s', async (_, type, status, times) => {
    const { client, queries, sent } = openPage(() =>
      sent.length < 3 ? problem(type, status) : ok(sampleResponses.trailingStatsAll),
    );
    const observer = new QueryObserver(client, { ...queries.venue.trailingStatsAll(), ...READ_ONCE });
    observer.subscribe(() => undefined);
    await later(9.9);
    expect(sent).toHaveLength(1);
    await later(20);
    expect([sent.length, observer.getCurrentResult().isSuccess]).toEqual([times, times === 3]);
    await later(600);
    expect(sent).toHaveLength(times);
  });

  it('aborts its request when it is unmounted', async () => {
    const { client, queries, sent } = openPage(() => new Promise<Response>(() => undefined));
    const stop = new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(1);
    stop();
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });
});

describe('a tab', () => {
  it('does not poll while hidden, and reads what is on screen and expired when it is visible again', async () => {
    const { client, queries, sent } = openPage((target) =>
      ok(target.includes('all-products') ? sampleResponses.trailingStatsAll : sampleResponses.productSpecs),
    );
    new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    new QueryObserver(client, queries.venue.productSpecs()).subscribe(() => undefined);
    const leave = new QueryObserver(client, queries.venue.chartVoi()).subscribe(() => undefined);
    await later(1);
    leave();
    sent.length = 0;
    focusManager.setFocused(false);
    await later(300);
    expect(sent).toEqual([]);
    focusManager.setFocused(true);
    await later(0.1);
    expect(sent.map(({ target }) => target)).toEqual(['/api/web/market/stats/trailing/all-products']);
  });

  it('reads although the browser reports being offline, since the desk usually runs on this machine', async () => {
    onlineManager.setOnline(false);
    const { client, queries, sent } = openPage(() => ok(sampleResponses.trailingStatsAll));
    new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(1);
    expect(sent).toHaveLength(1);
    onlineManager.setOnline(true);
    await later(1);
    expect(sent).toHaveLength(1);
  });
});

describe('a failing query', () => {
  it('keeps the last good response, and recovers by itself', async () => {
    let down = false;
    const { client, queries } = openPage(() =>
      down ? problem('venue-unreachable', 502) : ok(sampleResponses.trailingStatsAll),
    );
    const observer = new QueryObserver(client, queries.venue.trailingStatsAll());
    observer.subscribe(() => undefined);
    await later(1);
    down = true;
    await later(15);
    expect(observer.getCurrentResult()).toMatchObject({
      status: 'error',
      data: { value: sampleResponses.trailingStatsAll },
    });
    expect(observer.getCurrentResult().error).toBeInstanceOf(ProblemError);
    down = false;
    await later(11);
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', error: null });
  });

  it('waits as long as Retry-After says, also when the tab becomes visible again', async () => {
    const { client, queries, sent } = openPage(() => problem('budget-spent', 429, 187));
    new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(60);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await later(120);
    expect(sent).toHaveLength(1);
    await later(10);
    expect(sent).toHaveLength(2);
  });

  it('does not repeat a request that would fail again', async () => {
    const { client, queries, sent } = openPage(() => problem('not-found', 404));
    new QueryObserver(client, queries.venue.chartPrice({ id: fromNumber(999_999) })).subscribe(() => undefined);
    await later(3_600);
    expect(sent).toHaveLength(1);
  });

  it('tries an unreachable desk three times within seconds, then every few seconds', async () => {
    const { client, queries, sent } = openPage(() => Promise.reject(new TypeError('fetch failed')));
    new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(4);
    expect(sent).toHaveLength(3);
    await later(60);
    expect(sent.length).toBeLessThan(30);
  });
});

describe('private orders', () => {
  it('stay out of the browser’s cache, and are not transferred again while unchanged', async () => {
    let changed = true;
    const { client, queries, sent } = openPage(() =>
      changed
        ? ok(sampleResponses.ordersWorking, { etag: '"w1"' })
        : new Response(null, { status: 304, headers: { etag: '"w1"', age: '2' } }),
    );
    const observer = new QueryObserver(client, queries.venue.ordersWorking({}));
    observer.subscribe(() => undefined);
    await later(1);
    const before = observer.getCurrentResult().data;
    changed = false;
    await later(4);
    const after = observer.getCurrentResult().data;
    expect(sent.map(({ cache, ifNoneMatch }) => [cache, ifNoneMatch])).toEqual([
      ['no-store', null],
      ['no-store', '"w1"'],
    ]);
    expect(after?.value).toBe(before?.value);
    expect(after?.ageSeconds).toBe(2);
  });

  it('differ from public data, which the browser may cache', async () => {
    const { client, queries, sent } = openPage(() => ok(sampleResponses.trailingStatsAll, { etag: '"t1"' }));
    new QueryObserver(client, queries.venue.trailingStatsAll()).subscribe(() => undefined);
    await later(11);
    expect(sent.map(({ cache, ifNoneMatch }) => [cache, ifNoneMatch])).toEqual([
      ['default', null],
      ['default', null],
    ]);
  });

  it('fail on a 304 without a conditional request', async () => {
    const { client, queries } = openPage(() => new Response(null, { status: 304 }));
    await expect(client.query({ ...queries.venue.ordersWorking({}), retry: false })).rejects.toMatchObject({
      name: 'UnexpectedResponseError',
      status: 304,
    });
  });
});

describe('the desk’s own endpoints', () => {
  it('are read at their addresses, working orders with their filters', async () => {
    const { client, queries, sent } = openPage(() =>
      ok({ source: 'product/specs', read_at: '2026-11-20T00:00:00Z', products: [], now: '' }, { 'x-any': '' }),
    );
    const products = await client.query(queries.desk.products());
    await client.query({ ...queries.desk.working({ account_id: 'A 17' }), retry: false }).catch(() => undefined);
    await client.query({ ...queries.desk.status(), retry: false }).catch(() => undefined);
    expect(sent.map(({ target }) => target)).toEqual([
      '/api/desk/products',
      '/api/desk/working?account_id=A%2017',
      '/api/desk/status',
    ]);
    expect(products).toMatchObject({ cache: 'computed', endpoint: 'desk/products', respondedAt: null });
  });

  it('carry the venue’s response time where a response is forwarded', async () => {
    const { client, queries } = openPage(() =>
      ok(sampleResponses.trailingStatsAll, { [RESPONDED_AT_HEADER]: '2026-11-20T00:00:00.000Z' }),
    );
    expect(await client.query(queries.venue.trailingStatsAll())).toMatchObject({
      respondedAt: '2026-11-20T00:00:00.000Z',
      cache: 'unknown',
    });
  });
});
