// The whole product in one process. Everything it is made of is put together here and nowhere else.
import { join } from 'node:path';
import { toBudgetText, type GatewaySettings } from '#gateway/gateway-settings.ts';
import { openDesk, readSettings, type FoundVenue } from '#gateway/open-desk.ts';
import { openVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';

/** Starts everything; what keeps it from starting comes back as sentences. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const problem = await openDesk(settings, () => findVenue(settings.gateway));
  return problem === null ? [] : [problem];
}

/** The venue that was chosen: elsewhere, or our own, opened here on any free port and reached like any other. */
async function findVenue({ profile, credential, dataDir, budget }: GatewaySettings): Promise<FoundVenue> {
  const { baseUrl } = profile;
  if (baseUrl !== null) return { profile: { ...profile, baseUrl }, credential, close: () => Promise.resolve() };
  // It grants what the desk may spend: the desk is told of a budget as that of its venue.
  const { settings } = readVenueSettings(['--port', '0', '--store', join(dataDir, 'venue.sqlite'), '--budget', toBudgetText(budget)]);
  if (settings === null) throw new Error('The exchange does not know the options it is given here.');
  const venue = await openVenue(settings, join(dataDir, 'venue-credential'), realPorts);
  return { profile: { ...profile, baseUrl: venue.address }, venueId: `${profile.name} ${venue.identity}`, credential: venue.credential, close: venue.close };
}

const problems = await serve();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
