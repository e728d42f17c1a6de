import { describe, expect, it } from 'vitest';
import { responds, resets, type Behaviour } from './behaviours.ts';
import { openFault, PRIVATE, PUBLIC, type Fault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const forbidden = responds({ status: 403, body: 'Forbidden' });
const unauthorized = responds({ status: 401, body: '' });
const good = responds();

/**
 * Sends a private request to an exchange whose clock is known. It gets this response, and the requests of the diagnosis
 * get the next ones in turn.
 */
async function openRefused(...behaviours: readonly Behaviour[]): Promise<Fault & { readonly sent: () => number }> {
  const fault = await openFault();
  await fault.send();
  fault.advance(60_000);
  fault.venue.does(...behaviours);
  return { ...fault, sent: () => fault.venue.requests.length - 1 };
}

describe('the meaning of a rejection', () => {
  it('is kept apart from later failures of other kinds', async () => {
    const fault = await openRefused(forbidden, forbidden);
    await fault.send(PRIVATE);
    fault.advance(60_000);
    fault.venue.does(resets, resets, resets);
    await fault.send();
    const { venue } = JSON.parse((await fault.send('/api/desk/status')).body.toString()) as { readonly venue: object };
    expect(venue).toMatchObject({
      last_failure: { type: 'venue-unreachable' },
      last_refusal: { type: 'budget-spent' },
    });
    await fault.expectRecovered(2);
  });
});

describe('a 403 for too many requests', () => {
  it('by Perpdesk is recognised by its own count', async () => {
    // One client alone may not use the whole budget.
    const fault = await openFault({ budget: { requests: 2, seconds: 300 } });
    await fault.send(PUBLIC);
    fault.advance(11_000);
    const {
      headers: { 'set-cookie': [cookie = ''] = [] },
    } = await fault.send('/api/desk/status', { headers: { 'sec-fetch-site': 'same-origin' } });
    fault.venue.does(forbidden);
    const { headers } = await fault.send(PUBLIC, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(headers['cache-status']).toMatch(/detail=budget-spent$/);
    const problem = await fault.send('/api/web/market/stats/trailing/1');
    expectProblem(problem, {
      type: 'budget-spent',
      detail: /^The exchange’s request budget is exhausted\. The next request can be sent in 30 s\.$/,
      retryAfter: 30,
    });
    expect(fault.venue.requests).toHaveLength(2);
    await fault.expectRecovered();
  });

  it('by another program is recognised by a public request, and nothing is sent during the pause', async () => {
    const fault = await openRefused(forbidden, forbidden);
    expectProblem(await fault.send(PRIVATE), {
      type: 'budget-spent',
      detail: /not from Perpdesk: another program uses the same IP address/,
      retryAfter: 30,
    });
    expect(fault.sent()).toBe(2);
    fault.advance(10_000);
    expectProblem(await fault.send('/api/web/market/stats/trailing/1'), {
      type: 'budget-spent',
      detail: /in 20 s/,
      retryAfter: 20,
    });
    expect(fault.sent()).toBe(2);
    await fault.expectRecovered(2);
  });

  it('is recognised by another request if the first needs no key', async () => {
    const fault = await openFault();
    fault.venue.does(forbidden, forbidden);
    expectProblem(await fault.send(), { type: 'budget-spent', detail: /another program/, retryAfter: 30 });
    expect(new Set(fault.venue.requests.map(({ target }) => target)).size).toBe(2);
    await fault.expectRecovered();
  });

  it('is not assumed for one endpoint that is always rejected while others work', async () => {
    const fault = await openFault();
    fault.venue.does(forbidden, good);
    expectProblem(await fault.send(), {
      type: 'venue-fault',
      detail: /rejects this request with status 403 but accepts others/,
      retryAfter: 30,
    });
    expect(fault.venue.requests).toHaveLength(2);
    expect((await fault.send('/api/web/market/stats/trailing/1')).status).toBe(200);
    await fault.expectRecovered();
  });

  it.each([
    ['7', 7],
    ['999999', 300],
    ['0', 1],
    ['Fri, 31 Dec 2066 23:59:59 GMT', 300],
    ['soon', 30],
  ])('or a 429 with Retry-After %s pauses for %i s', async (said, retryAfter) => {
    const fault = await openFault();
    fault.venue.does(responds({ status: 429, headers: { 'retry-after': said } }));
    expectProblem(await fault.send(), { type: 'budget-spent', detail: /too many requests/, retryAfter });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });
});

/** Responds as an exchange with this clock offset. */
function skewedBy(offset: number, behaviour: Behaviour): Behaviour {
  return (socket, request) => {
    behaviour(socket, { ...request, at: request.at + offset });
  };
}

describe('a rejection because of the clock', () => {
  it.each([60_000, -60_000])('that was set by %i ms is retried with the exchange’s new time', async (offset) => {
    const fault = await openRefused(skewedBy(offset, unauthorized), skewedBy(offset, good));
    expect((await fault.send(PRIVATE)).status).toBe(200);
    expect(fault.sent()).toBe(2);
    const last = fault.venue.requests.at(-1);
    const stamp = /: (\S+)$/.exec(last?.headers.find((header) => /^btnl-auth-timestamp/i.test(header)) ?? '')?.[1];
    expect(Math.abs(Date.parse(stamp ?? '') - ((last?.at ?? NaN) + offset))).toBeLessThan(2_000);
    await fault.expectRecovered(2);
  });

  it.each([
    [60_000, 'behind'],
    [-60_000, 'ahead of'],
  ])('that stays off by %i ms says which way, and ends when the clock is right', async (offset, direction) => {
    const fault = await openRefused(skewedBy(offset, unauthorized), skewedBy(2 * offset, unauthorized));
    expectProblem(await fault.send(PRIVATE), {
      type: 'clock-skew',
      detail: new RegExp(
        `^The timestamp of the signature is (59|60|61) s ${direction} the exchange’s clock: synchronise this machine’s clock`,
      ),
    });
    expect(fault.sent()).toBe(2);
    fault.advance(10_000);
    expect((await fault.send(PRIVATE)).status).toBe(200);
    await fault.expectRecovered(2);
  });
});

describe('a rejection because of the key', () => {
  it.each([
    ['401, and the test of the key too', [unauthorized, unauthorized]],
    ['403, a public request succeeds, and the test of the key is rejected', [forbidden, good, forbidden]],
    ['403, a public request succeeds, and the test of the key gets 401', [forbidden, good, unauthorized]],
  ])('%s: is reported, not retried, and paused', async (_, behaviours) => {
    const fault = await openRefused(...behaviours);
    const refused = {
      type: 'key-refused',
      detail: /^The exchange rejects the key: check that DESK_CONNECTION_ID and DESK_AUTH_TOKEN/,
    } as const;
    expectProblem(await fault.send(PRIVATE), { ...refused, retryAfter: 30 });
    expect(fault.sent()).toBe(behaviours.length);
    fault.advance(20_000);
    expectProblem(await fault.send('/api/orders?limit=3'), { ...refused, retryAfter: 10 });
    expect(fault.sent()).toBe(behaviours.length);
    expect((await fault.send(PUBLIC)).status).toBe(200);
    fault.advance(10_000);
    expect((await fault.send(PRIVATE)).status).toBe(200);
    await fault.expectRecovered(2);
  });

  it.each([
    ['401', [unauthorized, good]],
    ['403', [forbidden, good, good, forbidden]],
  ])('that is valid, with %s for this endpoint only, does not affect other endpoints', async (_, behaviours) => {
    const fault = await openRefused(...behaviours);
    expectProblem(await fault.send(PRIVATE), {
      type: 'key-refused',
      detail: /^The key is valid but lacks permission for this endpoint\.$/,
    });
    expect(fault.sent()).toBe(behaviours.length);
    expect((await fault.send('/api/orders?limit=3')).status).toBe(200);
    await fault.expectRecovered(2);
  });

  it('that is valid, with a single 403, is about another program’s requests', async () => {
    const fault = await openRefused(forbidden, good, good, good);
    expectProblem(await fault.send(PRIVATE), { type: 'budget-spent', detail: /another program/, retryAfter: 30 });
    expect(fault.sent()).toBe(4);
  });

  it.each([
    ['401', [unauthorized, resets]],
    ['403', [forbidden, resets]],
    ['403 and a public response', [forbidden, good, resets]],
  ])('that cannot be tested after %s is still not retried', async (_, behaviours) => {
    const fault = await openRefused(...behaviours);
    expectProblem(await fault.send(PRIVATE), {
      type: 'key-refused',
      detail: /^The exchange rejects this request with status 40[13], and a test of the key got no clear response/,
    });
    expect(fault.sent()).toBe(behaviours.length);
    await fault.expectRecovered(2);
  });

  it('that is not configured is never sent', async () => {
    const fault = await openFault({ credential: null });
    expectProblem(await fault.send(PRIVATE), {
      type: 'key-refused',
      detail: /^No key is configured: set DESK_CONNECTION_ID/,
    });
    expect(fault.venue.requests).toHaveLength(0);
    await fault.expectRecovered(2);
  });

  it('for a public endpoint names the address', async () => {
    const fault = await openFault();
    fault.venue.does(unauthorized);
    expectProblem(await fault.send(), { type: 'venue-fault', detail: /requires a key for a public endpoint/ });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });
});

describe('a rejection of the request', () => {
  it.each([
    [PUBLIC, 400, 'limit is wrong', 'bad-parameter', /^The exchange rejects the request: limit is wrong$/],
    [
      PUBLIC,
      404,
      'No such product',
      'not-found',
      /^The exchange has nothing at \/web\/market\/stats\/trailing\/all-products: No such product$/,
    ],
    [
      PRIVATE,
      400,
      'More than 10,000 working orders match.',
      'too-many-working-orders',
      /^More than 10,000 working orders match\.$/,
    ],
  ] as const)('to %s with %i, %s, is not retried, and remembered', async (path, status, body, type, detail) => {
    const fault = await openFault();
    // The clock is synced before the first signature.
    await fault.send('/api/product/data/');
    fault.venue.does(responds({ status, body }));
    const before = fault.venue.requests.length;
    expectProblem(await fault.send(path), { type, detail });
    expectProblem(await fault.send(path), { type, detail });
    expect(fault.venue.requests).toHaveLength(before + 1);
    await fault.expectRecovered();
  });
});
