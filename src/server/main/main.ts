// Starts Perpdesk in front of an external exchange: like `npm start`, without the embedded one.
import '#files/owner-only.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { openDesk } from './open-desk.ts';

async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const { profile, credential } = settings.server;
  const { baseUrl } = profile;
  if (baseUrl === null)
    return ['DESK_VENUE_URL is missing: the server alone needs the address of an exchange. "npm start" includes one.'];
  const venue = { profile: { ...profile, baseUrl }, credential, close: () => Promise.resolve() };
  const problem = await openDesk(settings, () => Promise.resolve(venue));
  return problem === null ? [] : [problem];
}

const problems = await serve();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
// Not only the exit code: whatever a failed start has left open must not keep the process alive.
if (problems.length > 0) process.exit(1);
