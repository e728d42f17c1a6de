// Tries the venue that the settings name, and says as a table what is good and what to change.
import { createGateway } from './create-gateway.ts';
import { readSettings } from './open-desk.ts';
import { formatSelfTest } from './own/self-test-table.ts';
import { createRealPorts } from './real-ports.ts';

async function examine(): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) return problems;
  const { profile } = settings.gateway;
  const { baseUrl } = profile;
  if (baseUrl === null) return ['The exchange inside the desk is tried whenever the desk starts: see /api/desk/status. For another, set DESK_VENUE or DESK_VENUE_URL.'];
  const gateway = createGateway({ ...settings.gateway, profile: { ...profile, baseUrl } }, createRealPorts('error'));
  try {
    const rows = await gateway.selfTest();
    console.log(`${profile.name} at ${baseUrl}\n\n${formatSelfTest(rows)}`);
    if (rows.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
    return [];
  } finally {
    await gateway.close();
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
