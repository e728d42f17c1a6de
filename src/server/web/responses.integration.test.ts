import { createHook } from 'node:async_hooks';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { responds } from '#testing/faults/behaviours.ts';
import { openFault } from '#testing/faults/open-fault.ts';
import { LAST, openHostile, statusesOf } from '#testing/attacks/open-hostile.ts';
import { RECORDED_BODY } from '#testing/attacks/recording-venue.ts';
import { sampleResponses } from '#testing/sample-responses.ts';

const begun = Date.now();
let ahead = 0;
/** Only the test moves the clock. */
const hostile = await openHostile({ now: () => begun + ahead });
let questions = 0;

/** Bytes that parsing and printing would change, enough of them to be worth compressing. */
const LARGE_BODY = Buffer.from(
  `[${Array.from({ length: 400 }, (_, index) => ` {"id": ${String(7_670_000_000_000_000_000n + BigInt(index))}, "price":1.50}`).join(',')}]\n`,
);
const WORKING_BODY = Buffer.from(
  JSON.stringify(
    Array.from({ length: 40 }, (_, index) => ({
      order_id: String(index),
      account_id: 'a',
      product_id: 1,
      product_type: 'Future',
      symbol: 'S',
    })),
  ),
);
const PRICES = Buffer.from(
  JSON.stringify(
    Array.from({ length: 31 }, (_, index) => {
      const date = `2020-01-${String(index + 1).padStart(2, '0')}`;
      return { ...sampleResponses.chartPrice[0], date, time: `${date}T22:00:00Z` };
    }),
  ),
);
const CODINGS = ['identity', 'gzip', 'br'] as const;
const unpack = { identity: (body: Buffer) => body, gzip: gunzipSync, br: brotliDecompressSync };

beforeEach(() => {
  hostile.venue.respondWith(LARGE_BODY);
  hostile.venue.forget();
});

/** A new request each time. */
const newPath = (): string => `/api/web/charts/price/${String((questions += 1))}`;

/** Counts the compressions and decompressions that a function starts. */
async function countPacking(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_, type) => {
      if (/zlib|brotli/i.test(type)) count += 1;
    },
  }).enable();
  await run();
  hook.disable();
  return count;
}

describe('the exchange’s body is sent byte for byte', () => {
  it.each(CODINGS)('as %s', async (coding) => {
    const { status, headers, body } = await hostile.request({
      path: newPath(),
      headers: { 'accept-encoding': coding },
    });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    expect(Number(headers['content-length'])).toBe(body.byteLength);
    expect(unpack[coding](body)).toEqual(LARGE_BODY);
    if (coding !== 'identity') expect(body.byteLength).toBeLessThan(LARGE_BODY.byteLength / 4);
  });

  it('and uncompressed if compression is not worth it', async () => {
    hostile.venue.respondWith(RECORDED_BODY);
    const { headers, body } = await hostile.request({ path: newPath(), headers: { 'accept-encoding': 'br, gzip' } });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toEqual(RECORDED_BODY);
  });
});

describe('a response is compressed once', () => {
  it('for any number of requests', async () => {
    const path = newPath();
    const askAll = (coding: string) =>
      Promise.all(Array.from({ length: 50 }, () => hostile.request({ path, headers: { 'accept-encoding': coding } })));
    expect(await countPacking(() => askAll('br'))).toBe(1);
    expect(await countPacking(() => askAll('br'))).toBe(0);
    expect(await countPacking(() => askAll('gzip'))).toBe(1);
    expect(await countPacking(() => askAll('identity'))).toBe(0);
    expect(hostile.venue.requests).toHaveLength(1);
  });

  it('also if it is on disk', async () => {
    hostile.venue.respondWith(PRICES);
    const path = `${newPath()}?begin_time=2020-01-01T00:00:00Z&end_time=2020-02-01T00:00:00Z`;
    const send = () => hostile.request({ path, headers: { 'accept-encoding': 'br' } });
    await send();
    ahead += 3_600_000;
    await send();
    expect(await countPacking(send)).toBe(0);
    expect(hostile.venue.requests).toHaveLength(1);
  });

  it('also if Perpdesk composed it', async () => {
    hostile.venue.respondWith(WORKING_BODY);
    const send = (coding: string) =>
      hostile.request({ path: '/api/desk/working', headers: { 'accept-encoding': coding } });
    expect(await countPacking(() => send('br'))).toBe(1);
    expect(await countPacking(() => Promise.all([send('br'), send('br')]))).toBe(0);
    expect(await countPacking(() => Promise.all([send('gzip'), send('gzip')]))).toBe(1);
    const [packed, plain] = await Promise.all([send('br'), send('identity')]);
    expect(unpack.br(packed.body)).toEqual(plain.body);
    expect(plain.body.toString()).toContain(WORKING_BODY.toString().slice(1, -1));
  });

  it('also if the exchange sends the same bytes again', async () => {
    const path = newPath();
    const send = () => hostile.request({ path, headers: { 'accept-encoding': 'br' } });
    await send();
    ahead += 3_600_000;
    expect(await countPacking(send)).toBe(0);
    // Trading data are read too, to find out whether anything has settled.
    expect(hostile.venue.requests.filter(({ target }) => target.includes('/charts/'))).toHaveLength(2);
  });
});

describe('a client that has the bytes gets 304', () => {
  it.each(CODINGS)('by the tag of their %s form', async (coding) => {
    const path = newPath();
    const asIs = { 'accept-encoding': coding };
    const { headers } = await hostile.request({ path, headers: asIs });
    const { etag = '' } = headers;
    expect(etag).toMatch(/^"[\w.-]+"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await hostile.request({ path, method, headers: { ...asIs, 'if-none-match': held } });
        expect({ held, status: again.status, length: again.body.byteLength }).toEqual({ held, status: 304, length: 0 });
        expect(again.headers).toMatchObject({
          etag,
          'cache-control': 'private, no-cache',
          'vary': 'accept-encoding',
          'desk-answered-at': headers['desk-answered-at'],
        });
        for (const name of ['content-length', 'content-type', 'content-encoding', 'transfer-encoding'])
          expect(again.headers).not.toHaveProperty(name);
      }
    }
  });

  it('but not for the tag of another form, or of other bytes', async () => {
    const path = newPath();
    const tags = await Promise.all(
      CODINGS.map(
        async (coding) => (await hostile.request({ path, headers: { 'accept-encoding': coding } })).headers.etag ?? '',
      ),
    );
    expect(new Set(tags).size).toBe(CODINGS.length);
    for (const [index, coding] of CODINGS.entries()) {
      const others = tags.filter((_, other) => other !== index).join(', ');
      const { status } = await hostile.request({
        path,
        headers: { 'accept-encoding': coding, 'if-none-match': others },
      });
      expect({ coding, status }).toEqual({ coding, status: 200 });
    }
    hostile.venue.respondWith(RECORDED_BODY);
    ahead += 3_600_000;
    const { status, body } = await hostile.request({ path, headers: { 'if-none-match': tags.join(', ') } });
    expect({ status, body }).toEqual({ status: 200, body: RECORDED_BODY });
  });

  it('and the connection stays usable', async () => {
    const path = newPath();
    const { headers } = await hostile.request({ path });
    const conditional = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nif-none-match: ${headers.etag ?? ''}\r\n\r\n`;
    expect(statusesOf(await hostile.send(conditional + conditional + LAST))).toEqual([304, 304, 200]);
  });
});

describe('what a browser may store', () => {
  const cacheControlOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await hostile.request({ path, headers })).headers['cache-control'];

  it.each(['/api/orders', '/api/orders/working', '/api/desk/working'])(
    'is nothing of %s, in no coding; a page that holds it still revalidates it by its tag',
    async (path) => {
      hostile.venue.respondWith(WORKING_BODY);
      for (const coding of CODINGS) {
        const asIs = { 'accept-encoding': coding };
        const first = await hostile.request({ path, headers: asIs });
        const again = await hostile.request({ path, headers: { ...asIs, 'if-none-match': first.headers.etag ?? '' } });
        for (const { headers } of [first, again]) expect(headers['cache-control']).toBe('private, no-store');
        expect([first.status, again.status, again.body.byteLength]).toEqual([200, 304, 0]);
      }
    },
  );

  it('is every public response, to be revalidated each time', async () => {
    for (const path of [newPath(), '/api/desk/status', '/api/desk/policy', '/healthz'])
      expect([path, await cacheControlOf(path)]).toEqual([path, 'private, no-cache']);
  });
});

describe('HEAD', () => {
  it.each(CODINGS)('returns the length of the %s form without its body', async (coding) => {
    const path = newPath();
    const asIs = { 'accept-encoding': coding };
    const head = await hostile.request({ path, method: 'HEAD', headers: asIs });
    const get = await hostile.request({ path, headers: asIs });
    expect(head.body.byteLength).toBe(0);
    for (const name of ['content-length', 'content-type', 'content-encoding', 'etag', 'vary'])
      expect(head.headers[name]).toBe(get.headers[name]);
    expect(hostile.venue.requests).toHaveLength(1);
  });
});

/** RFC 9211: one cache, which either had a hit or forwarded, and parameters that are tokens or integers. */
const CACHE_STATUS =
  /^perpdesk; (?:hit|fwd=[a-z-]+(?:; (?:stored|collapsed))*)(?:; ttl=-?\d+)?(?:; detail=[a-z][a-z-]*)?$/;

describe('a response declares its source and age', () => {
  it('first a miss, then a hit, with its age', async () => {
    const path = newPath();
    const first = await hostile.request({ path });
    expect(first.headers).toMatchObject({ 'age': '0', 'cache-status': 'perpdesk; fwd=miss; stored; ttl=60' });
    ahead += 20_500;
    const second = await hostile.request({ path });
    expect(second.headers['cache-status']).toBe('perpdesk; hit; ttl=39');
    expect(second.headers.age).toBe('20');
    expect(second.headers['desk-answered-at']).toBe(first.headers['desk-answered-at']);
    for (const { headers } of [first, second]) expect(headers['cache-status']).toMatch(CACHE_STATUS);
  });

  it('coalesced with an equal request', async () => {
    const get = `GET ${newPath()} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const [first, second] = await hostile.send(get + get + LAST);
    expect(first?.headers['cache-status']).toMatch(/^perpdesk; fwd=miss; stored; ttl=/);
    expect(second?.headers['cache-status']).toMatch(/^perpdesk; fwd=miss; collapsed; ttl=/);
    expect(second?.headers['cache-status']).toMatch(CACHE_STATUS);
    expect(hostile.venue.requests).toHaveLength(1);
  });

  it('a disk hit', async () => {
    hostile.venue.respondWith(PRICES);
    const path = `${newPath()}?begin_time=2020-01-01T00:00:00Z&end_time=2020-02-01T00:00:00Z`;
    await hostile.request({ path });
    ahead += 86_400_000;
    const { headers } = await hostile.request({ path });
    expect(headers).toMatchObject({ 'cache-status': 'perpdesk; hit; detail=disk', 'age': '86400' });
  });

  it('stale, since when, and why', async () => {
    const fault = await openFault();
    await fault.send();
    fault.advance(100_000);
    fault.venue.alwaysDoes(responds({ status: 500, body: '{}' }));
    const { status, headers } = await fault.send();
    expect(status).toBe(200);
    expect(headers['cache-status']).toMatch(/^perpdesk; hit; ttl=-9\d; detail=venue-fault$/);
    expect(headers['cache-status']).toMatch(CACHE_STATUS);
    expect(Number(headers.age)).toBeGreaterThanOrEqual(100);
  });

  it('how long it took, and when the exchange responded', async () => {
    const { headers } = await hostile.request({ path: newPath() });
    expect(headers['server-timing']).toMatch(/^desk;dur=\d+\.\d;desc="miss"$/);
    expect(headers['desk-answered-at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

describe('the purpose that a page declares', () => {
  it.each([
    ['interactive', 'interactive'],
    ['prefetch', 'prefetch'],
    ['working', 'trailing'],
    ['CLICK', 'trailing'],
    ['', 'trailing'],
  ])('%j counts as %s', async (purpose, counted) => {
    const fault = await openFault({ budget: { requests: 200, seconds: 300 } });
    await fault.send(undefined, { headers: { 'desk-purpose': purpose } });
    const { body } = await fault.send('/api/desk/status');
    const { budget } = JSON.parse(body.toString()) as {
      readonly budget: { readonly by_purpose: Readonly<Record<string, number>> };
    };
    expect(Object.entries(budget.by_purpose).filter(([, count]) => count > 0)).toEqual([[counted, 1]]);
  });
});
