// The whole product in one process: chooses the exchange, and serves it (see server/main/open-desk.ts).
import '#files/owner-only.ts';
import { join } from 'node:path';
import { openDesk, type ChosenVenue } from '#server/main/open-desk.ts';
import { toBudgetText, type ServerSettings } from '#server/ops/process/server-settings.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { openVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';

const VENUE_FILE = 'venue.sqlite';

/** Returns one sentence for each reason why it cannot start. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const problem = await openDesk(settings, () => chooseVenue(settings.server));
  return problem === null ? [] : [problem];
}

/**
 * Returns the exchange of the settings: an external one, or the embedded one, opened on any free port and reached like
 * any other.
 */
async function chooseVenue({ profile, credential, dataDir, budget }: ServerSettings): Promise<ChosenVenue> {
  const { baseUrl } = profile;
  if (baseUrl !== null) return { profile: { ...profile, baseUrl }, credential, close: () => Promise.resolve() };
  // DESK_BUDGET describes the exchange, so the embedded one allows exactly what the server may spend.
  const { settings } = readVenueSettings([
    '--port',
    '0',
    '--store',
    join(dataDir, VENUE_FILE),
    '--budget',
    toBudgetText(budget),
  ]);
  if (settings === null) throw new Error('The embedded exchange rejects its options.');
  const venue = await openVenue(settings, join(dataDir, 'venue-credential'), realPorts);
  return {
    profile: { ...profile, baseUrl: venue.address },
    venueId: `${profile.name} ${venue.identity}`,
    credential: venue.credential,
    database: { name: VENUE_FILE, copyTo: venue.copyStore },
    close: venue.close,
  };
}

const problems = await serve();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
// Not only the exit code: whatever a failed start has left open must not keep the process alive.
if (problems.length > 0) process.exit(1);
