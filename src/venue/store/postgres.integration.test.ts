import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { surviveKills } from '#testing/store/kill-nine.ts';
import { placeAt, type NewPlace } from '#testing/store/place.ts';
import { reopeningSuite } from '#testing/store/reopening-suite.ts';
import { makeOrder } from '#testing/store/sample-orders.ts';
import { storeSuite } from '#testing/store/store-suite.ts';

let server: PostgresServer;
const newSchema: NewPlace = async () => placeAt(await server.createDatabase());

// The first time may install it.
beforeAll(async () => {
  server = await startPostgres();
}, 300_000);

afterAll(() => server.stop());

describe('the store in PostgreSQL', () => {
  storeSuite(newSchema, { propertyRuns: 10 });
  reopeningSuite(newSchema);

  it('is written by the process that opened it last, and by no other', async () => {
    const place = await newSchema();
    const before = await place.open();
    await before.commit({ facts: { owner: 'before' } });
    const after = await place.open();
    await expect(before.commit({ orders: [makeOrder(1)] })).rejects.toThrow('Another process has opened this store since');
    await after.commit({ facts: { owner: 'after' } });
    expect(await after.load(0)).toEqual({ facts: { owner: 'after' }, working: [], trades: [], samples: [] });
    await Promise.all([before.close(), after.close()]);
  });

  it('loses nothing acknowledged and shows no half batch, killed at any moment', async () => {
    await surviveKills(await newSchema(), 25);
  }, 120_000);
});
