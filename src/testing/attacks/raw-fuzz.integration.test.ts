import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRecorded } from './check-recorded.ts';
import { LAST, openHostile } from './open-hostile.ts';
import { anyRequest } from './raw-requests.ts';
import { howMany } from '../how-many.ts';

const CASES_AT_ONCE = 300;
const ROUNDS = howMany(5, 20);
/** Far longer than the timeouts for a request head and for an idle connection. */
const PATIENCE_MS = 60_000;

const hostile = await openHostile({ headersTimeoutMs: 500 });
const port = Number(new URL(hostile.address).port);

/** Returns everything received until the connection is closed; null if it is not. */
async function send(bytes: string): Promise<string | null> {
  const socket = connect({ host: '127.0.0.1', port });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1'))).on('error', () => undefined);
  socket.write(bytes + LAST, 'latin1');
  const patience = setTimeout(() => socket.destroy(new Error('in vain')), PATIENCE_MS);
  const [failed] = (await once(socket, 'close')) as [boolean];
  clearTimeout(patience);
  return failed && socket.errored?.message === 'in vain' ? null : received;
}

it(
  'whatever the bytes, each connection ends, no response is a 500, and only requests of the endpoint table reach the exchange',
  { timeout: 240_000 },
  async () => {
    const statuses = new Map<string, number>();
    let reached = 0;
    const round = async (requests: readonly string[]): Promise<void> => {
      const answers = await Promise.all(requests.map(send));
      for (const [index, answer] of answers.entries()) {
        expect(answer, requests[index]).not.toBeNull();
        for (const [, status = ''] of (answer ?? '').matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status !== '505') expect(status, requests[index]).toMatch(/^[1-4]/);
        }
      }
      hostile.venue.requests.forEach(checkRecorded);
      reached += hostile.venue.requests.length;
      hostile.venue.forget();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: CASES_AT_ONCE, maxLength: CASES_AT_ONCE }), round),
      { numRuns: ROUNDS, endOnFailure: true },
    );
    console.log(
      `raw fuzz: ${String(CASES_AT_ONCE * ROUNDS)} cases, ${String(reached)} requests reached the venue; ${[...statuses]
        .sort()
        .map((entry) => entry.join(': '))
        .join(', ')}`,
    );
    // This proves that some of them were valid.
    expect(reached).toBeGreaterThan(100);
    expect((await hostile.request({ path: '/healthz' })).status).toBe(200);
    expect(hostile.logged.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
