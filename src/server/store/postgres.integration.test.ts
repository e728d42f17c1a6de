import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDiskCache } from '#server/proxy/response-cache.ts';
import { createFundingStore } from '#server/readings/funding/funding-store.ts';
import { locationAt, type NewLocation } from '#testing/server-store/store-location.ts';
import { storeSuites } from '#testing/server-store/store-suites.ts';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { ownerCodes } from './tables.ts';

let server: PostgresServer;
const newDatabase: NewLocation = async () => locationAt({ dataDir: '', databaseUrl: await server.createDatabase() });

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

describe('the store in PostgreSQL', () => {
  storeSuites(newDatabase, {
    full: /^The store postgres:.* is full: its server has no disk space left\.$/,
    reason: /^database failure: The store postgres:.* is full: its server has no disk space left\.$/,
    missing: /^The store postgres:.* failed: relation "owner_code" does not exist\.$/,
    plain:
      /^Perpdesk cannot use its database\. Its log gives the reason, as does its Status screen for administrators\.$/,
  });

  it(
    'works again once a server that hung responds, and what waited for it fails with it',
    { timeout: 60_000 },
    async () => {
      const store = await (await newDatabase()).open({ elapsed: () => performance.now() });
      const funding = createFundingStore(store, 'venue');
      const cache = await openDiskCache(store, 100_000);
      await funding.append(1, [{ endAt: '', text: 'a' }]);
      server.suspend();
      onTestFinished(() => {
        server.resume();
      });
      const begunAt = performance.now();
      const writes = Array.from({ length: 20 }, () =>
        store.mustWrite(({ write }) => write([{ table: ownerCodes, rows: [['s', 'account', 'A']] }])),
      );
      const results = await Promise.allSettled([...writes, funding.list()]);
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
      expect(performance.now() - begunAt).toBeLessThan(15_000);
      expect(store.state()).toMatchObject({
        failedWrites: 20,
        lastFailure: { problem: { detail: expect.stringMatching(/does not respond|closed the connection/) as string } },
      });
      expect(await cache.find('k')).toBeUndefined();
      server.resume();
      await expect
        .poll(
          () =>
            funding.append(1, [{ endAt: '', text: 'b' }]).then(
              () => 'written',
              () => 'failed',
            ),
          { timeout: 20_000 },
        )
        .toBe('written');
      expect((await funding.read(1, { from: '', after: null, limit: 9 })).map(({ text }) => text)).toEqual(['b', 'a']);
    },
  );
});
