// Checks the exchange that the settings name, and prints a table of what works and what to change.
import '#files/owner-only.ts';
import { formatSelfTest } from '#server/readings/status/self-test.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { createDeskServer } from './create-server.ts';

const TAKES_OVER =
  'DESK_DATABASE_URL is set: the doctor would take its database over from a Perpdesk that is running. ' +
  'That one shows the same checks on its Status screen. If none is running, set DESK_DATABASE_URL= and ' +
  'DESK_DATABASE_URL_FILE= to nothing for this command.';

async function examine(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const { profile, databaseUrl } = settings.server;
  const { baseUrl } = profile;
  if (baseUrl === null)
    return [
      'The embedded exchange is checked whenever Perpdesk starts: see /api/desk/status. To check ' +
        'another, set DESK_VENUE or DESK_VENUE_URL.',
    ];
  // Opening the database would take it over from a running Perpdesk.
  if (databaseUrl !== null) return [TAKES_OVER];
  const server = await createDeskServer(
    { ...settings.server, profile: { ...profile, baseUrl } },
    createRealPorts('error'),
  );
  try {
    const rows = await server.selfTest();
    console.log(`${profile.name} at ${baseUrl}\n\n${formatSelfTest(rows)}`);
    if (rows.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
    return [];
  } finally {
    await server.close();
  }
}

try {
  const problems = await examine();
  for (const problem of problems) console.error(`perpdesk: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
