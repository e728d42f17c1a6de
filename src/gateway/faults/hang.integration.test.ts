import { describe, expect, it } from 'vitest';
import { answers, hangs, writes } from '#testing/fault/behaviours.ts';
import { openFault } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const tooLate = { type: 'venue-timeout', detail: /^The venue did not answer in time\.$/ } as const;

/** Far more than a good answer takes, also where the machine is busy: those that follow are held to it too. */
const LIMIT = 1_500;

describe('a venue that falls silent', () => {
  it.each([
    ['before it says anything', hangs, { headersMs: LIMIT }],
    ['within its headers', writes('HTTP/1.1 200 OK\r\ncontent-'), { headersMs: LIMIT }],
    ['within its body', answers({ headers: { 'content-length': '5000' } }), { idleMs: LIMIT }],
    ['within what it packed', answers({ headers: { 'content-length': '5000', 'content-encoding': 'gzip' }, body: Buffer.from('1f8b0800', 'hex') }), { idleMs: LIMIT }],
    ['before it says anything, whatever the other limits', hangs, { totalMs: LIMIT }],
  ] as const)('%s is left after the limit, and asked once only', async (_, behaviour, limits) => {
    const fault = await openFault({ limits });
    fault.venue.does(behaviour);
    expectProblem(await fault.ask(), tooLate);
    expect(fault.venue.requests).toHaveLength(1);
    await expect.poll(fault.venue.openConnections).toBe(0);
    await fault.expectGood();
  });

  // Undici's own limit would be ten seconds.
  it('before the connection stands is left after the limit', { timeout: 8_000 }, async () => {
    const fault = await openFault({ limits: { connectMs: LIMIT }, saysTls: true });
    expectProblem(await fault.ask(), tooLate);
    await expect.poll(fault.venue.openConnections).toBe(0);
  });

  it('after the status of a refusal has said what there was to say', async () => {
    const fault = await openFault({ limits: { idleMs: LIMIT } });
    fault.venue.does(answers({ status: 404, headers: { 'content-length': '5000' }, body: 'No such pr' }));
    expectProblem(await fault.ask(), { type: 'not-found', detail: /: No such pr$/ });
    await fault.expectGood();
  });

  it('holds up only those who asked it that', async () => {
    const fault = await openFault({ limits: { headersMs: 3_000 } });
    fault.venue.does(hangs);
    const ends: string[] = [];
    const hung = fault.ask().then(() => ends.push('the hung'));
    await expect.poll(() => fault.venue.requests.length).toBe(1);
    await fault.ask('/api/web/market/stats/trailing/1547').then(() => ends.push('the other'));
    await hung;
    expect(ends).toEqual(['the other', 'the hung']);
    await fault.expectGood(2);
  });
});
