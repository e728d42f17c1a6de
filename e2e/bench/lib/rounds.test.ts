import { expect, test } from 'vitest';
import { runRounds } from './rounds.ts';

const names = ['a', 'b', 'c'] as const;

async function orders(rounds: number): Promise<string[]> {
  const measured: string[] = [];
  await runRounds(names, rounds, (name) => Promise.resolve(measured.push(name)));
  return Array.from({ length: rounds }, (_, round) =>
    measured.slice(round * names.length, (round + 1) * names.length).join(''),
  );
}

test('each contender is measured once a round, and its results keep their order', async () => {
  let count = 0;
  const results = await runRounds(names, 4, () => Promise.resolve(count++));
  expect([...results.keys()]).toEqual(names);
  const all = [...results.values()];
  for (const own of all) expect(own.map((value) => Math.floor(value / names.length))).toEqual([0, 1, 2, 3]);
  expect(all.flat().toSorted((x, y) => x - y)).toEqual(Array.from({ length: 12 }, (_, i) => i));
});

test('over the rounds each contender comes first, and follows each other one', async () => {
  const seen = await orders(6);
  expect(new Set(seen.map((order) => order[0]))).toEqual(new Set(names));
  const neighbours = seen.flatMap((order) => [order.slice(0, 2), order.slice(1)]);
  expect(new Set(neighbours)).toEqual(new Set(['ab', 'bc', 'ca', 'ba', 'cb', 'ac']));
});
