import { describe, expect, it } from 'vitest';
import { responds, thenEnds, thenPours } from './behaviours.ts';
import { openFault, PRIVATE } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const html = { 'content-type': 'text/html' };
const PROXY_PAGE = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

describe('a failing exchange', () => {
  it.each([
    [
      'with 500 and a sentence',
      responds({ status: 500, body: 'The book is closed.' }),
      /^The exchange responded to trailingStatsAll with status 500: The book is closed\.$/,
    ],
    ['with 500 and nothing', responds({ status: 500, body: '' }), /with status 500$/],
    ['with a proxy’s page', responds({ status: 502, headers: html, body: PROXY_PAGE }), /with status 502$/],
    [
      'with a page that breaks off',
      thenEnds(responds({ status: 502, headers: { ...html, 'content-length': '9000' }, body: PROXY_PAGE })),
      /with status 502$/,
    ],
    [
      'with a page in an unknown encoding',
      responds({ status: 503, headers: { 'content-encoding': 'zstd' }, body: 'b7' }),
      /with status 503$/,
    ],
    [
      'with an endless page',
      thenPours(
        responds({ status: 500, headers: { 'content-length': '1000000000' } }),
        Buffer.alloc(65_536, 'a'),
        1_000_000_000,
      ),
      /with status 500: \[\{"productId/,
    ],
  ])('%s is retried twice; its status and the plain text of its body are quoted', async (_, behaviour, detail) => {
    const fault = await openFault();
    fault.venue.does(behaviour, behaviour, behaviour);
    expectProblem(await fault.send(), { type: 'venue-fault', detail });
    expect(fault.venue.requests).toHaveLength(3);
    expect(fault.venue.bytesWritten()).toBeLessThan(50_000_000);
    await fault.expectRecovered();
  });

  it('is retried, private requests with a new signature', async () => {
    const fault = await openFault();
    await fault.send();
    fault.venue.does(responds({ status: 500 }));
    const { status } = await fault.send(PRIVATE);
    const signatures = fault.venue.requests.filter(({ headers }) =>
      headers.some((header) => /^btnl-signature: .{44}$/i.test(header)),
    );
    expect({ status, signed: signatures.length }).toEqual({ status: 200, signed: 2 });
    await fault.expectRecovered();
  });

  it('that names a retry time is not retried before it', async () => {
    const fault = await openFault();
    fault.venue.does(responds({ status: 503, headers: { 'retry-after': '120' }, body: '' }));
    expectProblem(await fault.send(), { type: 'venue-fault', detail: /status 503/, retryAfter: 120 });
    fault.advance(119_000);
    expectProblem(await fault.send(), { type: 'venue-fault', detail: /status 503/, retryAfter: 1 });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });

  it('uses a permit for each attempt', async () => {
    const fault = await openFault({ budget: { requests: 100, seconds: 300 } });
    fault.venue.does(responds({ status: 500 }), responds({ status: 500 }), responds({ status: 500 }));
    await fault.send();
    const { body } = await fault.send('/api/desk/status');
    expect(JSON.parse(body.toString())).toMatchObject({ budget: { used: 3 } });
    await fault.expectRecovered();
  });

  it.each([204, 206, 405, 406, 418, 451])('with status %i, which is not transient, is read once', async (status) => {
    const fault = await openFault();
    const body = status === 204 ? { headers: { 'content-length': null }, body: '' } : {};
    fault.venue.does(responds({ status, ...body }));
    expectProblem(await fault.send(), { type: 'venue-fault', detail: new RegExp(`status ${String(status)}`) });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });
});
