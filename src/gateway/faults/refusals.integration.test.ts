import { describe, expect, it } from 'vitest';
import { answers, refusesToSpeak, type Behaviour } from '#testing/fault/behaviours.ts';
import { openFault, PRIVATE, PUBLIC, type Fault } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const forbidden = answers({ status: 403, body: 'Forbidden' });
const unauthorized = answers({ status: 401, body: '' });
const good = answers();
/** May use the reserve, too. */
const CLICK = { headers: { 'desk-purpose': 'click' } };

/** A private question to a venue whose clock is known, answered so; what is asked to find out why is answered in turn. */
async function openRefused(...behaviours: readonly Behaviour[]): Promise<Fault & { readonly sent: () => number }> {
  const fault = await openFault();
  await fault.ask();
  fault.advance(60_000);
  fault.venue.does(...behaviours);
  return { ...fault, sent: () => fault.venue.requests.length - 1 };
}

describe('what a refusal meant', () => {
  it('is remembered by its kind when the venue fails in another way', async () => {
    const fault = await openRefused(forbidden, forbidden);
    await fault.ask(PRIVATE);
    fault.advance(60_000);
    fault.venue.does(refusesToSpeak, refusesToSpeak, refusesToSpeak);
    await fault.ask();
    const { venue } = JSON.parse((await fault.ask('/api/desk/status')).body.toString()) as { readonly venue: object };
    expect(venue).toMatchObject({ last_failure: { type: 'venue-unreachable' }, last_refusal: { type: 'budget-spent' } });
    await fault.expectGood(2);
  });
});

describe('a 403 because too much was asked', () => {
  it('by this desk is known by its own ledger', async () => {
    const fault = await openFault({ budget: { requests: 10, seconds: 300 } });
    for (let asked = 0; asked < 9; asked++) {
      await fault.ask(PUBLIC, CLICK);
      fault.advance(11_000);
    }
    fault.venue.does(forbidden);
    const { headers } = await fault.ask(PUBLIC, CLICK);
    expect(headers['cache-status']).toMatch(/detail=budget-spent$/);
    const problem = await fault.ask('/api/web/market/stats/trailing/1547');
    expectProblem(problem, { type: 'budget-spent', detail: /^The venue’s request budget is spent; the next request may go out in 30 s\.$/, retryAfter: 30 });
    expect(fault.venue.requests).toHaveLength(10);
    await fault.expectGood();
  });

  it('by another program is found out by a public question, and nothing is sent until it may be good again', async () => {
    const fault = await openRefused(forbidden, forbidden);
    expectProblem(await fault.ask(PRIVATE), { type: 'budget-spent', detail: /not by this desk: another program uses the same address/, retryAfter: 30 });
    expect(fault.sent()).toBe(2);
    fault.advance(10_000);
    expectProblem(await fault.ask('/api/web/market/stats/trailing/1'), { type: 'budget-spent', detail: /in 20 s/, retryAfter: 20 });
    expect(fault.sent()).toBe(2);
    await fault.expectGood(2);
  });

  it('is found out by another question where the one asked needs no key', async () => {
    const fault = await openFault();
    fault.venue.does(forbidden, forbidden);
    expectProblem(await fault.ask(), { type: 'budget-spent', detail: /another program/, retryAfter: 30 });
    expect(new Set(fault.venue.requests.map(({ target }) => target)).size).toBe(2);
    await fault.expectGood();
  });

  it('is not said of a question that is always refused, though others are answered: nothing else is held up', async () => {
    const fault = await openFault();
    fault.venue.does(forbidden, good);
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: /refuses this question with status 403, and answers others/, retryAfter: 30 });
    expect(fault.venue.requests).toHaveLength(2);
    expect((await fault.ask('/api/web/market/stats/trailing/1')).status).toBe(200);
    await fault.expectGood();
  });

  it.each([
    ['7', 7],
    ['999999', 300],
    ['0', 1],
    ['Fri, 31 Dec 2066 23:59:59 GMT', 300],
    ['soon', 30],
  ])('or a 429 that says %s waits %i s', async (said, retryAfter) => {
    const fault = await openFault();
    fault.venue.does(answers({ status: 429, headers: { 'retry-after': said } }));
    expectProblem(await fault.ask(), { type: 'budget-spent', detail: /too much was asked/, retryAfter });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });
});

/** From a venue whose clock is so far ahead of the desk's. */
function skewedBy(offset: number, behaviour: Behaviour): Behaviour {
  return (socket, request) => {
    behaviour(socket, { ...request, at: request.at + offset });
  };
}

describe('a refusal because of the clock', () => {
  it.each([60_000, -60_000])('that was set by %i ms is made good by a stamp of the venue’s new time', async (offset) => {
    const fault = await openRefused(skewedBy(offset, unauthorized), skewedBy(offset, good));
    expect((await fault.ask(PRIVATE)).status).toBe(200);
    expect(fault.sent()).toBe(2);
    const last = fault.venue.requests.at(-1);
    const stamp = /: (\S+)$/.exec(last?.headers.find((header) => /^btnl-auth-timestamp/i.test(header)) ?? '')?.[1];
    expect(Math.abs(Date.parse(stamp ?? '') - ((last?.at ?? NaN) + offset))).toBeLessThan(2_000);
    await fault.expectGood(2);
  });

  it.each([
    [60_000, 'behind'],
    [-60_000, 'ahead of'],
  ])('that goes on being off by %i ms says which way, and is good again when it stands', async (offset, direction) => {
    const fault = await openRefused(skewedBy(offset, unauthorized), skewedBy(2 * offset, unauthorized));
    expectProblem(await fault.ask(PRIVATE), { type: 'clock-skew', detail: new RegExp(`^What was signed is (59|60|61) s ${direction} the venue’s clock; set this machine’s clock`) });
    expect(fault.sent()).toBe(2);
    fault.advance(10_000);
    expect((await fault.ask(PRIVATE)).status).toBe(200);
    await fault.expectGood(2);
  });
});

describe('a refusal because of the key', () => {
  it.each([
    ['401, and the test of the key too', [unauthorized, unauthorized]],
    ['403, a public question is answered, and the test of the key is refused', [forbidden, good, forbidden]],
    ['403, a public question is answered, and the test of the key is 401', [forbidden, good, unauthorized]],
  ])('%s: said so, not retried, and not sent again for a while', async (_, behaviours) => {
    const fault = await openRefused(...behaviours);
    const refused = { type: 'key-refused', detail: /^The venue refuses the key: check DESK_CONNECTION_ID and DESK_AUTH_TOKEN/ } as const;
    expectProblem(await fault.ask(PRIVATE), { ...refused, retryAfter: 30 });
    expect(fault.sent()).toBe(behaviours.length);
    fault.advance(20_000);
    expectProblem(await fault.ask('/api/orders?limit=3'), { ...refused, retryAfter: 10 });
    expect(fault.sent()).toBe(behaviours.length);
    expect((await fault.ask(PUBLIC)).status).toBe(200);
    fault.advance(10_000);
    expect((await fault.ask(PRIVATE)).status).toBe(200);
    await fault.expectGood(2);
  });

  it.each([
    ['401', [unauthorized, good]],
    ['403', [forbidden, good, good, forbidden]],
  ])('that is good, with %s for this question only, holds nothing else up', async (_, behaviours) => {
    const fault = await openRefused(...behaviours);
    expectProblem(await fault.ask(PRIVATE), { type: 'key-refused', detail: /^The key is good, but this connection may not ask this question\.$/ });
    expect(fault.sent()).toBe(behaviours.length);
    expect((await fault.ask('/api/orders?limit=3')).status).toBe(200);
    await fault.expectGood(2);
  });

  it('that is good, with 403 to one request and none after it, is about another program’s requests', async () => {
    const fault = await openRefused(forbidden, good, good, good);
    expectProblem(await fault.ask(PRIVATE), { type: 'budget-spent', detail: /another program/, retryAfter: 30 });
    expect(fault.sent()).toBe(4);
  });

  it.each([
    ['401', [unauthorized, refusesToSpeak]],
    ['403', [forbidden, refusesToSpeak]],
    ['403 and a public answer', [forbidden, good, refusesToSpeak]],
  ])('that cannot be tested after %s is still not retried', async (_, behaviours) => {
    const fault = await openRefused(...behaviours);
    expectProblem(await fault.ask(PRIVATE), { type: 'key-refused', detail: /^The venue refuses this question with status 40[13], and a test of the key was not answered/ });
    expect(fault.sent()).toBe(behaviours.length);
    await fault.expectGood(2);
  });

  it('that is not configured is never sent', async () => {
    const fault = await openFault({ credential: null });
    expectProblem(await fault.ask(PRIVATE), { type: 'key-refused', detail: /^No key is configured: set DESK_CONNECTION_ID/ });
    expect(fault.venue.requests).toHaveLength(0);
    await fault.expectGood(2);
  });

  it('where none is needed names the address', async () => {
    const fault = await openFault();
    fault.venue.does(unauthorized);
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: /asks for a key where the interface needs none/ });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });
});

describe('a refusal of the question', () => {
  it.each([
    [PUBLIC, 400, 'limit is wrong', 'bad-parameter', /^The venue refuses the question: limit is wrong$/],
    [PUBLIC, 404, 'No such product', 'not-found', /^The venue has nothing at \/web\/market\/stats\/trailing\/all-products: No such product$/],
    [PRIVATE, 400, 'More than 10,000 working orders match.', 'too-many-working-orders', /^More than 10,000 working orders match\.$/],
  ] as const)('of %s with %i, %s, is not retried, and remembered', async (question, status, body, type, detail) => {
    const fault = await openFault();
    // The desk learns the venue's time before it signs.
    await fault.ask('/api/web/market/stats/trailing/1547');
    fault.venue.does(answers({ status, body }));
    const before = fault.venue.requests.length;
    expectProblem(await fault.ask(question), { type, detail });
    expectProblem(await fault.ask(question), { type, detail });
    expect(fault.venue.requests).toHaveLength(before + 1);
    await fault.expectGood();
  });
});
