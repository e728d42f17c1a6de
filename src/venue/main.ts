// The reference exchange as a program of its own.
import { openVenue } from './open-venue.ts';
import { realPorts } from './real-ports.ts';
import { readVenueSettings } from './venue-settings.ts';

const CREDENTIAL_FILE = '.perpdesk/venue-credential';

/** Starts everything; what keeps it from starting comes back as sentences. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readVenueSettings(process.argv.slice(2));
  if (problems !== null) return problems;
  try {
    const venue = await openVenue(settings, CREDENTIAL_FILE, realPorts);
    // The process ends by itself once nothing is open any more.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void venue.close().catch(realPorts.report));
    if (settings.credentials.length === 0) console.log(`venue: key of connection ${venue.credential.connectionId} in ${CREDENTIAL_FILE}`);
    console.log(`venue: ready at ${venue.address}`);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const problems = await serve();
for (const problem of problems) console.error(`venue: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
