import { expect, test } from 'vitest';
import type { ChainedEntry } from '#contract/desk/audit-chain.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createAuditLines } from './audit-lines.ts';

const SECONDS = 1_000;
const HANGS = ['error', 'audit lines not written', { reason: 'The place for audit lines does not take them.' }];

/** A place that takes an entry when the test says so. */
function open() {
  const clock = createFakeClock(0);
  const logged: unknown[] = [];
  const writes: { readonly numbers: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const lines = createAuditLines(
    {
      write: (entries) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error): void => {
            if (error === undefined) resolve();
            else reject(error);
          };
          writes.push({ numbers: entries.map(({ number }) => number), end });
        }),
      close: () => undefined,
    },
    { log: (level, event, fields) => void logged.push([level, event, fields]), schedule: clock.schedule },
  );
  return { lines, logged, writes, clock };
}

function entries(from: number, to = from): readonly ChainedEntry[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({
    number: from + at,
    who: 'a',
    kind: 'exported',
    body: '{}',
    hash: '',
  }));
}

const missing = (from: number, to: number) => [
  'error',
  'audit lines missing',
  expect.objectContaining({ from, to }) as unknown,
];

test('a place that hangs is reported, and what it missed when it takes lines again', async () => {
  const { lines, logged, writes, clock } = open();
  lines.write(entries(1, 2));
  lines.write(entries(3));
  await clock.advance(9 * SECONDS);
  expect(logged).toEqual([]);
  await clock.advance(SECONDS);
  lines.write(entries(4, 5));
  expect(logged).toEqual([HANGS]);
  expect(writes).toHaveLength(1);
  writes[0]?.end();
  await lines.flush();
  expect(logged).toEqual([HANGS, missing(3, 5)]);
  lines.write(entries(6));
  expect(writes[1]?.numbers).toEqual([6]);
  await clock.advance(10 * SECONDS);
  writes[1]?.end(new Error('EIO'));
  await lines.flush();
  lines.write(entries(7));
  writes[2]?.end();
  await lines.flush();
  expect(logged.slice(2)).toEqual([HANGS, missing(6, 6)]);
});

test('more entries than may wait are missing at once', () => {
  const { lines, logged, writes } = open();
  lines.write(entries(1));
  lines.write(entries(2, 10_001));
  expect(logged).toEqual([]);
  lines.write(entries(10_002));
  expect([logged, writes.length]).toEqual([[HANGS], 1]);
});

test('closing waits a while for a place, and then names what it did not take', async () => {
  const { lines, logged, clock } = open();
  lines.write(entries(1, 2));
  lines.write(entries(3));
  const closed = lines.close();
  await clock.advance(3 * SECONDS);
  await closed;
  expect(logged).toEqual([HANGS, missing(1, 3)]);
});
