import { describe, expect, it } from 'vitest';
import { howMany } from '#testing/how-many.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { surviveKills } from '#testing/store/survive-kills.ts';
import { locationAt, type NewLocation } from '#testing/store/store-location.ts';
import { reopeningSuite } from '#testing/store/reopening-suite.ts';
import { makeOrder } from '#testing/store/sample-orders.ts';
import { storeSuite } from '#testing/store/store-suite.ts';
import { withClient } from '#testing/with-client.ts';

const newSchema: NewLocation = async () => locationAt(await createDatabase());

/** Like a distributed database, refuses the first transactions that write a fact with a serialization failure. */
async function refuseWrites(address: string, times: number): Promise<void> {
  const create = `CREATE SEQUENCE refusals;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('refusals') <= ${String(times)} THEN RAISE 'send it again' USING ERRCODE = '40001'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refusing BEFORE INSERT ON facts FOR EACH ROW EXECUTE FUNCTION refuse()`;
  await withClient(address, (client) => client.query(create));
}

describe('the store in PostgreSQL', () => {
  storeSuite(newSchema, { propertyRuns: howMany(3, 10) });
  reopeningSuite(newSchema);

  it.each([
    [4, 'fulfilled'],
    [5, 'rejected'],
  ])(
    'retries a transaction that the database could not serialise: refused %d times, it is %s',
    async (times, outcome) => {
      const place = await newSchema();
      const store = await place.open();
      await refuseWrites(place.spec, times);
      const [written] = await Promise.allSettled([store.commit({ orders: [makeOrder(1)], facts: { a: '1' } })]);
      expect(written.status).toBe(outcome);
      expect((await store.load(0))?.working ?? []).toHaveLength(outcome === 'fulfilled' ? 1 : 0);
      await store.close();
    },
  );

  it('can be written only by the process that opened it last', async () => {
    const place = await newSchema();
    const before = await place.open();
    await before.commit({ facts: { owner: 'before' } });
    const after = await place.open();
    await expect(before.commit({ orders: [makeOrder(1)] })).rejects.toThrow(
      'Another process has opened this store; this one can no longer write to it.',
    );
    await after.commit({ facts: { owner: 'after' } });
    expect(await after.load(0)).toEqual({ facts: { owner: 'after' }, working: [], trades: [], samples: [] });
    await Promise.all([before.close(), after.close()]);
  });

  it('loses nothing acknowledged and shows no partial batch, killed at any time', async () => {
    await surviveKills(await newSchema(), howMany(4, 25));
  }, 120_000);
});
