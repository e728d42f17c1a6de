// The desk before a venue elsewhere: the same as `npm start`, without an exchange of our own in it.
import { openDesk, readSettings } from './open-desk.ts';

async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const { profile, credential } = settings.gateway;
  const { baseUrl } = profile;
  if (baseUrl === null) return ['DESK_VENUE_URL is missing: alone, the gateway needs the address of a venue. "npm start" brings one with it.'];
  const venue = { profile: { ...profile, baseUrl }, credential, close: () => Promise.resolve() };
  const problem = await openDesk(settings, () => Promise.resolve(venue));
  return problem === null ? [] : [problem];
}

const problems = await serve();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
