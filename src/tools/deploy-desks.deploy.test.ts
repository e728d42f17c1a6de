import { test } from 'vitest';
import { runHistory } from '#testing/desks/run-history.ts';

test(
  'three desks behind Caddy, on PostgreSQL behind PgBouncer, whatever happens to them, a late replica that is promoted too',
  { timeout: 420_000 },
  async () => {
    console.log(await runHistory({ seconds: 40, clients: 30, isBehindOthers: true }));
  },
);
