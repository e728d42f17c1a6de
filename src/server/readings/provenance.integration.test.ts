import { expect, test } from 'vitest';
import { responds } from '#testing/faults/behaviours.ts';
import { servesFunding } from '#testing/faults/funding-script.ts';
import { openFault } from '#testing/faults/open-fault.ts';

/** Composed responses declare their age, like those that are passed on. */

const serves = servesFunding({ rows: [], maxRows: 100, failure: null, estimate: {} });

test('the product directory declares its age, and why it is stale', async () => {
  const fault = await openFault();
  fault.venue.alwaysDoes(serves);
  const fresh = await fault.send('/api/desk/products');
  expect(fresh.headers).toMatchObject({
    'age': '0',
    'cache-status': expect.stringMatching(/^perpdesk; fwd=miss; stored; ttl=3(600|599)$/) as string,
  });
  fault.advance(2 * 3_600_000);
  fault.venue.alwaysDoes(responds({ status: 500, body: 'down' }));
  const old = await fault.send('/api/desk/products');
  expect(old.status).toBe(200);
  expect(Number(old.headers['age'])).toBeGreaterThanOrEqual(7_200);
  expect(old.headers['cache-status']).toMatch(/^perpdesk; hit; ttl=-36\d\d; detail=venue-fault$/);
  const revalidated = await fault.send('/api/desk/products', {
    headers: { 'if-none-match': String(old.headers['etag']) },
  });
  expect(revalidated.status).toBe(304);
  expect(revalidated.headers['cache-status']).toMatch(/detail=venue-fault$/);
});

test('the working set declares its age, and the status has none', async () => {
  const fault = await openFault();
  await fault.send('/api/desk/working');
  fault.advance(2_000);
  const { headers } = await fault.send('/api/desk/working');
  expect(headers).toMatchObject({
    'age': '2',
    'cache-status': expect.stringMatching(/^perpdesk; hit; ttl=[12]$/) as string,
  });
  const status = await fault.send('/api/desk/status');
  expect([status.headers['age'], status.headers['cache-status']]).toEqual([undefined, undefined]);
});
