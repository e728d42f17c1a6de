import { expect, test } from 'vitest';
import { answers } from '#testing/fault/behaviours.ts';
import { speaksFunding } from '#testing/fault/funding-script.ts';
import { openFault } from '#testing/fault/open-fault.ts';

/** What the desk puts together says how old it is, as the venue's own answers do. */

const speaks = speaksFunding({ rows: [], mostRows: 100, failure: null, estimate: {} });

test('the directory tells its age, and why it is an old one', async () => {
  const fault = await openFault();
  fault.venue.alwaysDoes(speaks);
  const fresh = await fault.ask('/api/desk/products');
  expect(fresh.headers).toMatchObject({ age: '0', 'cache-status': expect.stringMatching(/^perpdesk; fwd=miss; stored; ttl=3(600|599)$/) as string });
  fault.advance(2 * 3_600_000);
  fault.venue.alwaysDoes(answers({ status: 500, body: 'down' }));
  const old = await fault.ask('/api/desk/products');
  expect(old.status).toBe(200);
  expect(Number(old.headers['age'])).toBeGreaterThanOrEqual(7_200);
  expect(old.headers['cache-status']).toMatch(/^perpdesk; hit; ttl=-36\d\d; detail=venue-fault$/);
  const held = await fault.ask('/api/desk/products', { headers: { 'if-none-match': String(old.headers['etag']) } });
  expect(held.status).toBe(304);
  expect(held.headers['cache-status']).toMatch(/detail=venue-fault$/);
});

test('the working set tells its age, and what the desk says of itself has none', async () => {
  const fault = await openFault();
  await fault.ask('/api/desk/working');
  fault.advance(2_000);
  const { headers } = await fault.ask('/api/desk/working');
  expect(headers).toMatchObject({ age: '2', 'cache-status': expect.stringMatching(/^perpdesk; hit; ttl=[12]$/) as string });
  const status = await fault.ask('/api/desk/status');
  expect([status.headers['age'], status.headers['cache-status']]).toEqual([undefined, undefined]);
});
