import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { checkRecorded } from './check-recorded.ts';
import { createKeepAliveClient } from './keep-alive-client.ts';
import { openHostile } from './open-hostile.ts';
import { anyTarget } from './targets.ts';
import { howMany } from '../how-many.ts';

const CASES_AT_ONCE = 25;
const ROUNDS = howMany(80, 880);
/** The statuses of invalid requests. None is 500 or above, because the exchange always works here. */
const EXPECTED = [200, 400, 404, 405, 414, 431];

const hostile = await openHostile();
const clients = Array.from({ length: 5 }, () => createKeepAliveClient(hostile.address));

afterAll(() => {
  for (const client of clients) client.close();
});

const someRequest = fc.record({ target: anyTarget, method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD') });

it(
  'whatever the target, only requests of the endpoint table reach the exchange, nothing fails and nothing hangs',
  { timeout: 240_000 },
  async () => {
    const statuses = new Map<number, number>();
    let reached = 0;
    const round = async (cases: readonly { readonly target: string; readonly method: string }[]): Promise<void> => {
      const run = async (client: (typeof clients)[number], first: number): Promise<void> => {
        for (let index = first; index < cases.length; index += clients.length) {
          const { target, method } = cases[index] ?? { target: '/', method: 'GET' };
          const { status } = await client.send(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`, method);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(EXPECTED, target).toContain(status);
        }
      };
      // All requests run to their end, so that no response is in progress when fast-check shrinks the case.
      const ended = await Promise.allSettled(clients.map(run));
      for (const result of ended) if (result.status === 'rejected') throw result.reason;
      hostile.venue.requests.forEach(checkRecorded);
      reached += hostile.venue.requests.length;
      hostile.venue.forget();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(someRequest, { minLength: CASES_AT_ONCE, maxLength: CASES_AT_ONCE }), round),
      { numRuns: ROUNDS, endOnFailure: false },
    );
    const cases = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `fuzz: ${String(cases)} cases, ${String(reached)} requests reached the exchange; ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${String(status)}: ${String(count)}`)
        .join(', ')}`,
    );
    expect(cases).toBeGreaterThanOrEqual(CASES_AT_ONCE * ROUNDS);
    // This proves that some targets were valid.
    expect(reached).toBeGreaterThan(cases / 10);
    expect(hostile.logged.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
