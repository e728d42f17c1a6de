import { describe, expect, it } from 'vitest';
import { responds, hangs, writes } from './behaviours.ts';
import { openFault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const timeout = { type: 'venue-timeout', detail: /^The exchange did not respond in time\.$/ } as const;

/** Far more than a normal response takes, even on a busy machine. */
const LIMIT = 1_500;
/** A range that needs no trading data, unlike one up to the present. */
const PAST = 'end_time=2026-01-01T00:00:00Z';

describe('an exchange that hangs', () => {
  it.each([
    ['before it responds', hangs, { headersMs: LIMIT }],
    ['within its headers', writes('HTTP/1.1 200 OK\r\ncontent-'), { headersMs: LIMIT }],
    ['within its body', responds({ headers: { 'content-length': '5000' } }), { idleMs: LIMIT }],
    [
      'within its compressed body',
      responds({
        headers: { 'content-length': '5000', 'content-encoding': 'gzip' },
        body: Buffer.from('1f8b0800', 'hex'),
      }),
      { idleMs: LIMIT },
    ],
    ['before it responds, whatever the other limits', hangs, { totalMs: LIMIT }],
  ] as const)('%s is aborted after the timeout, and read only once', async (_, behaviour, limits) => {
    const fault = await openFault({ limits });
    fault.venue.does(behaviour);
    expectProblem(await fault.send(), timeout);
    expect(fault.venue.requests).toHaveLength(1);
    await expect.poll(fault.venue.openConnections).toBe(0);
    await fault.expectRecovered();
  });

  // Undici's own limit would be ten seconds.
  it('before the connection is established is aborted after the timeout', { timeout: 8_000 }, async () => {
    const fault = await openFault({ limits: { connectMs: LIMIT }, claimsTls: true });
    expectProblem(await fault.send(), timeout);
    await expect.poll(fault.venue.openConnections).toBe(0);
  });

  it('after the status of an error has been received in full', async () => {
    const fault = await openFault({ limits: { idleMs: LIMIT } });
    fault.venue.does(responds({ status: 404, headers: { 'content-length': '5000' }, body: 'No such pr' }));
    expectProblem(await fault.send(), { type: 'not-found', detail: /: No such pr$/ });
    await fault.expectRecovered();
  });

  it('delays only requests for the same thing', async () => {
    const fault = await openFault({ limits: { headersMs: 3_000 } });
    fault.venue.does(hangs);
    const ends: string[] = [];
    const hung = fault.send().then(() => ends.push('the hung'));
    await expect.poll(() => fault.venue.requests.length).toBe(1);
    await fault.send('/api/product/data/').then(() => ends.push('the other'));
    await hung;
    expect(ends).toEqual(['the other', 'the hung']);
    await fault.expectRecovered(2);
  });
});

describe('an endpoint that hangs, requested more often than there are connections', () => {
  it('leaves connections to the others', async () => {
    const fault = await openFault();
    fault.venue.alwaysDoes((socket, request) => {
      (request.target.includes('/voi') ? hangs : responds())(socket, request);
    });
    const ends: string[] = [];
    const hung = Array.from({ length: 64 }, (_, number) =>
      fault.send(`/api/web/charts/voi?product_id=${String(number + 1)}&${PAST}`).then(() => ends.push('hung')),
    );
    await expect.poll(() => fault.venue.requests.length).toBe(8);
    const { status } = await fault.send(`/api/web/charts/price/1547?${PAST}`);
    ends.push('healthy');
    expect({ status, ends, requests: fault.venue.requests.length }).toEqual({
      status: 200,
      ends: ['healthy'],
      requests: 9,
    });
    await fault.closeDesk();
    await Promise.allSettled(hung);
  });
});
