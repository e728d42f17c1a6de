import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createFaults } from './faults.ts';
import { type SetOfDesks, startSetOfDesks } from './set-of-desks.ts';
import type { WanderingClient } from './wandering-client.ts';
import { checkRecords, findSetBack, findWrong, openClients, type Watching } from './watching.ts';

interface HistoryOptions {
  readonly seconds: number;
  readonly clients: number;
  /** Whether the desks reach the database through a pooler, and browsers reach the desks through a balancer. */
  readonly isBehindOthers: boolean;
}

const BUDGET = { requests: 120, seconds: 30 };
/** Until the last desk has found out that all is well again, and has read. */
const RECOVERY_MS = 120_000;

/**
 * Runs three desks on one database, with browsers that go from one to another, while everything happens to them that
 * can. Afterwards, each browser must show the book of the exchange as far as its person may see it, the exchange must
 * never have received too many requests, and the audit log and the notifications must be whole. Returns the history.
 */
export async function runHistory({ seconds, clients, isBehindOthers }: HistoryOptions): Promise<string> {
  const seed = Number(process.env['PERPDESK_SEED'] ?? Math.floor(Math.random() * 1e9));
  const random = randomFrom(seed);
  const history: string[] = [`seed ${String(seed)}`];
  const startedAt = performance.now();
  const note = (line: string): void => {
    history.push(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s  ${line}`);
  };
  const set = await startSetOfDesks({
    names: ['one', 'two', 'three'],
    environment: {
      DESK_ACCESS: 'users',
      DESK_BUDGET: `${String(BUDGET.requests)}/${String(BUDGET.seconds)}`,
      DESK_JOURNAL_SECONDS: '5',
    },
    isBehindOthers,
  });
  const watching: Watching[] = [];
  onTestFinished(async () => {
    for (const { client } of watching) client.close();
    await set.stop();
  });
  await openClients(set, { clients, random }, watching);

  const faults = createFaults({ set, random, note });
  const endsAt = performance.now() + seconds * 1_000;
  for (let count = 0; performance.now() < endsAt; count += 1) {
    await faults[count < faults.length ? count : Math.floor(random() * faults.length)]?.();
    await pause(random() * 2_000);
  }
  if (isBehindOthers) {
    note('database: a replica is promoted that lacks the last transactions');
    await set.promoteLateReplica();
    await pause(random() * 5_000);
  }
  note('all is well again');
  for (const { client } of watching) client.settle();

  const message = history.join('\n');
  const wrong = () => findWrong(watching, set.exchange.books());
  await expect.poll(wrong, { timeout: RECOVERY_MS, interval: 500, message }).toEqual([]);
  note('each browser shows the book of the exchange');
  for (const { client } of watching) expect(findSetBack(client.readAt()), message).toEqual([]);
  expect(set.exchange.mostWithin(BUDGET.seconds), message).toBeLessThanOrEqual(BUDGET.requests);
  const sent = await checkRecords(set, message);
  return [...history, ...describe(set, watching), sent].join('\n');
}

/** Returns numbers from 0 to 1 that follow from the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function describe({ exchange }: SetOfDesks, watching: readonly Watching[]): readonly string[] {
  const sum = (numberOf: (client: WanderingClient) => number): string =>
    String(watching.reduce((total, { client }) => total + numberOf(client), 0));
  return [
    `${String(exchange.requests())} requests to the exchange, at most ${String(exchange.mostWithin(BUDGET.seconds))} ` +
      `within ${String(BUDGET.seconds)} s, of ${String(BUDGET.requests)} that are allowed`,
    `${String(watching.length)} browsers opened ${sum(({ streams }) => streams())} streams, received ` +
      `${sum(({ readAt }) => readAt().length)} readings, and lost changes ${sum(({ losses }) => losses())} times`,
  ];
}
