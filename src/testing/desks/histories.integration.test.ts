import { test } from 'vitest';
import { howMany } from '../how-many.ts';
import { runHistory } from './run-history.ts';

const SECONDS = howMany(30, 300);

test(
  'three desks on one database, whatever happens to them: within the budget, each browser ends in the book of the exchange',
  { timeout: (SECONDS + 240) * 1_000 },
  async () => {
    console.log(await runHistory({ seconds: SECONDS, clients: howMany(40, 200), isBehindOthers: false }));
  },
);
