// Runs the reference exchange as a separate program.
import '#files/owner-only.ts';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivate } from '#files/private-folder.ts';
import { openVenue } from './open-venue.ts';
import { realPorts } from './real-ports.ts';
import { readVenueSettings } from './venue-settings.ts';

const CREDENTIAL_FILE = '.perpdesk/venue-credential';

/** Starts the exchange. If it cannot start, returns sentences that say why. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readVenueSettings(process.argv.slice(2), process.env);
  if (problems !== null) return problems;
  try {
    const folder = dirname(CREDENTIAL_FILE);
    const changed = existsSync(folder) ? makePrivate(folder) : null;
    if (changed !== null) console.error(`venue: ${changed}`);
    const venue = await openVenue(settings, CREDENTIAL_FILE, realPorts);
    // The process exits by itself once everything is closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => void venue.close().catch(realPorts.report));
    if (settings.credentials.length === 0)
      console.log(`venue: the token of connection ${venue.credential.connectionId} is in ${CREDENTIAL_FILE}`);
    console.log(`venue: ready at ${venue.address}`);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const problems = await serve();
for (const problem of problems) console.error(`venue: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
