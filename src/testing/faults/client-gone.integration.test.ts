import { describe, expect, it } from 'vitest';
import { responds, hangs, thenDrips, type Behaviour } from './behaviours.ts';
import { openFault, PUBLIC } from './open-fault.ts';
import { openRawClient } from './raw-client.ts';

const slowBody = thenDrips(responds({ headers: { 'content-length': '100000' } }), ' ', 20);
const slowGzip = thenDrips(
  responds({
    headers: { 'content-length': '100000', 'content-encoding': 'gzip' },
    body: Buffer.from('1f8b08000000000000', 'hex'),
  }),
  '\0',
  20,
);

describe('a client that disconnects before its response', () => {
  const cases: readonly (readonly [string, Behaviour])[] = [
    ['the response has not begun', hangs],
    ['the response has begun', slowBody],
    ['the response has begun, compressed', slowGzip],
    [
      'the response is an error',
      thenDrips(responds({ status: 500, headers: { 'content-length': '100000' } }), ' ', 20),
    ],
  ];
  it.each(cases)('aborts the upstream read while %s', async (_, behaviour) => {
    const fault = await openFault();
    fault.venue.does(behaviour);
    const client = openRawClient(fault.address, PUBLIC);
    await expect.poll(() => fault.venue.requests.length).toBe(1);
    client.destroy();
    await expect.poll(fault.venue.openConnections).toBe(0);
    expect(fault.venue.requests).toHaveLength(1);
    await expect
      .poll(() => fault.logged.map((line) => JSON.parse(line) as unknown))
      .toContainEqual(expect.objectContaining({ outcome: 'client gone', status: 499 }));
    await fault.expectRecovered();
  });

  it('leaves the read to other clients of the same request', async () => {
    const fault = await openFault();
    let finish = (): void => undefined;
    fault.venue.does((socket, request) => {
      finish = () => {
        responds()(socket, request);
      };
    });
    const client = openRawClient(fault.address, PUBLIC);
    await expect.poll(() => fault.venue.requests.length).toBe(1);
    const other = fault.send();
    // The other request has joined once a third, later one has its response.
    await fault.send('/api/product/data/');
    client.destroy();
    await expect.poll(() => fault.logged.join()).toContain('client gone');
    finish();
    const { status, headers } = await other;
    expect({ status, cache: headers['cache-status'] }).toEqual({
      status: 200,
      cache: expect.stringContaining('collapsed') as string,
    });
    expect(fault.venue.requests).toHaveLength(2);
    await fault.expectRecovered(2);
  });

  it('can do so a hundred times without opening the circuit', async () => {
    const fault = await openFault();
    fault.venue.alwaysDoes(hangs);
    const clients = Array.from({ length: 100 }, (_, number) =>
      openRawClient(fault.address, `/api/web/charts/price/${String(number + 1)}?end_time=2026-01-01T00:00:00Z`),
    );
    await expect.poll(fault.venue.openConnections).toBe(8);
    for (const client of clients) client.destroy();
    // Some clients may have gone before their request was read.
    await expect.poll(() => fault.logged.join().split('client gone').length - 1).toBe(clients.length);
    await expect.poll(fault.venue.openConnections).toBe(0);
    fault.venue.alwaysDoes(responds());
    await fault.expectRecovered();
  });
});
