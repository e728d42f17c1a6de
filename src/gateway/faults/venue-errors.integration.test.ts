import { describe, expect, it } from 'vitest';
import { answers, thenEnds, thenPours } from '#testing/fault/behaviours.ts';
import { openFault, PRIVATE } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const html = { 'content-type': 'text/html' };
const PROXY_PAGE = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

describe('a venue that fails', () => {
  it.each([
    ['with 500 and a sentence', answers({ status: 500, body: 'The book is closed.' }), /^The venue answered trailingStatsAll with status 500: The book is closed\.$/],
    ['with 500 and nothing', answers({ status: 500, body: '' }), /with status 500$/],
    ['with a proxy’s page', answers({ status: 502, headers: html, body: PROXY_PAGE }), /with status 502$/],
    ['with a page that breaks off', thenEnds(answers({ status: 502, headers: { ...html, 'content-length': '9000' }, body: PROXY_PAGE })), /with status 502$/],
    ['with a page packed as nobody knows', answers({ status: 503, headers: { 'content-encoding': 'zstd' }, body: 'b7' }), /with status 503$/],
    ['with an endless page', thenPours(answers({ status: 500, headers: { 'content-length': '1000000000' } }), Buffer.alloc(65_536, 'a'), 1_000_000_000), /with status 500: \[\{"productId/],
  ])('%s is asked twice more; its status is told, and of its words what is plain', async (_, behaviour, detail) => {
    const fault = await openFault();
    fault.venue.does(behaviour, behaviour, behaviour);
    expectProblem(await fault.ask(), { type: 'venue-fault', detail });
    expect(fault.venue.requests).toHaveLength(3);
    expect(fault.venue.bytesWritten()).toBeLessThan(50_000_000);
    await fault.expectGood();
  });

  it('once is asked again, private questions with a new stamp', async () => {
    const fault = await openFault();
    await fault.ask();
    fault.venue.does(answers({ status: 500 }));
    const { status } = await fault.ask(PRIVATE);
    const signatures = fault.venue.requests.filter(({ headers }) => headers.some((header) => /^btnl-signature: .{44}$/i.test(header)));
    expect({ status, signed: signatures.length }).toEqual({ status: 200, signed: 2 });
    await fault.expectGood();
  });

  it('and says when to come back is not asked again before', async () => {
    const fault = await openFault();
    fault.venue.does(answers({ status: 503, headers: { 'retry-after': '120' }, body: '' }));
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: /status 503/, retryAfter: 120 });
    fault.advance(119_000);
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: /status 503/, retryAfter: 1 });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });

  it('takes a permit for each try, and gives none back', async () => {
    const fault = await openFault({ budget: { requests: 100, seconds: 300 } });
    fault.venue.does(answers({ status: 500 }), answers({ status: 500 }), answers({ status: 500 }));
    await fault.ask();
    const { body } = await fault.ask('/api/desk/status');
    expect(JSON.parse(body.toString())).toMatchObject({ budget: { used: 3 } });
    await fault.expectGood();
  });

  it.each([204, 206, 405, 406, 418, 451])('and says %i, which is no failure that passes, is asked once', async (status) => {
    const fault = await openFault();
    const body = status === 204 ? { headers: { 'content-length': null }, body: '' } : {};
    fault.venue.does(answers({ status, ...body }));
    expectProblem(await fault.ask(), { type: 'venue-fault', detail: new RegExp(`status ${String(status)}`) });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectGood();
  });
});
