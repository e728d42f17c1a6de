// Runs the reference exchange as a separate program.
import '#files/owner-only.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '#files/private-folder.ts';
import { openVenue } from './open-venue.ts';
import { realPorts } from './real-ports.ts';
import { dataFolderOf, readVenueSettings } from './venue-settings.ts';

/** Starts the exchange. If it cannot start, returns sentences that say why. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readVenueSettings(process.argv.slice(2), process.env);
  if (problems !== null) return problems;
  try {
    const folder = dataFolderOf(process.env);
    const credentialFile = join(folder, 'venue-credential');
    const changed = existsSync(folder) ? makePrivate(folder) : null;
    if (changed !== null) console.error(`venue: ${changed}`);
    const venue = await openVenue(settings, credentialFile, realPorts);
    // The process exits by itself once everything is closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => void venue.close().catch(realPorts.report));
    if (settings.credentials.length === 0)
      console.log(`venue: the token of connection ${venue.credential.connectionId} is in ${credentialFile}`);
    console.log(`venue: ready at ${venue.address}`);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const problems = await serve();
for (const problem of problems) console.error(`venue: ${problem}`);
// Not only the exit code: whatever a failed start has left open must not keep the process alive.
if (problems.length > 0) process.exit(1);
