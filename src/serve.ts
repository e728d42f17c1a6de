// The whole product in one process: chooses the exchange, and has the gateway (server/main/open-desk.ts) serve it.
import '#files/owner-only.ts';
import { join } from 'node:path';
import { openDesk, type ChosenVenue } from '#server/main/open-desk.ts';
import { toBudgetText, type GatewaySettings } from '#server/ops/process/gateway-settings.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { openVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';

const VENUE_FILE = 'venue.sqlite';

/** Returns a sentence for each reason why it cannot start. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const problem = await openDesk(settings, () => chooseVenue(settings.gateway));
  return problem === null ? [] : [problem];
}

/** The exchange of the settings: one elsewhere, or the embedded one, opened on any free port and reached like any other. */
async function chooseVenue({ profile, credential, dataDir, budget }: GatewaySettings): Promise<ChosenVenue> {
  const { baseUrl } = profile;
  if (baseUrl !== null) return { profile: { ...profile, baseUrl }, credential, close: () => Promise.resolve() };
  // DESK_BUDGET describes the exchange, so the embedded one allows exactly what the gateway may spend.
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
if (problems.length > 0) process.exitCode = 1;
