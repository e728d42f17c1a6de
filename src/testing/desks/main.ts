// Starts several desks from a checkout. Without DESK_DATABASE_URL, they share a PostgreSQL server that is started for
// them, and whose data are gone when they stop.
import { runDesks } from '#desks/run-desks.ts';
import { startPostgres } from '../postgres-server.ts';

async function run(): Promise<readonly string[]> {
  const { DESK_DATABASE_URL: given = '', DESK_DATABASE_URL_FILE: file = '' } = process.env;
  if (given !== '' || file !== '') return runDesks(process.env, process.argv.slice(2));
  const server = await startPostgres();
  try {
    return await runDesks({ ...process.env, DESK_DATABASE_URL: server.address }, process.argv.slice(2));
  } finally {
    await server.stop();
  }
}

const problems = await run();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
