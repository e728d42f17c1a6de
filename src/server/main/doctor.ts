// Checks everything that the settings name, and prints a table of what works and what to change.
import '#files/owner-only.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '#server/ops/call-control.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import type { ServerSettings } from '#server/ops/process/server-settings.ts';
import { readSettings, type Settings } from '#server/ops/process/settings.ts';
import { readTlsPair } from '#server/ops/process/tls-files.ts';
import type { SelfTestRow } from '#server/readings/status/self-test.ts';
import { checkAuditTarget, checkClock, checkDataFolder, checkDisk } from './doctor/check-machine.ts';
import { checkAddress, checkOwnCertificate } from './doctor/check-certificates.ts';
import { checkChannels, checkDatabase, checkProvider } from './doctor/check-services.ts';
import { type Check, failed, formatChecks, ok, warning } from './doctor/checks.ts';
import { createDeskServer } from './create-server.ts';

async function examine(environment: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const { settings, problems } = readSettings(environment);
  if (problems !== null) return problems.map((problem) => failed('settings', problem));
  const { server, provider, unknown } = settings;
  const ports = createRealPorts('error');
  const database = server.databaseUrl === null ? { checks: [] } : await checkDatabase(server.databaseUrl, ports);
  const people = provider === null ? { checks: [] } : await checkProvider(provider, ports);
  return [
    unknown.length === 0
      ? ok('settings', 'All settings are valid.')
      : warning('settings', `${unknown.join(', ')}: no such setting. docs/configuration.md lists them all.`),
    checkDataFolder(server.dataDir),
    checkDisk(server.dataDir),
    checkClock([database, people].flatMap(({ clock }) => (clock === undefined ? [] : [clock]))),
    await checkProcess(server.dataDir),
    ...database.checks,
    ...checkTls(settings),
    ...people.checks,
    ...(server.auditing.target === null ? [] : checkAuditTarget(server.auditing.target)),
    ...(await checkChannels(server.channels, Date.now())),
    ...(await checkExchange(server)),
  ];
}

async function checkProcess(dataDir: string): Promise<Check> {
  return ok(
    'Perpdesk',
    (await isRunning(dataDir)) ? 'It is running on this data folder, and responds.' : 'It is not running.',
  );
}

function checkTls({ reach, source }: Settings): readonly Check[] {
  if (reach.tls === null) return [];
  const pair = readTlsPair(reach.tls, source);
  return [
    'problem' in pair
      ? failed('TLS certificate', pair.problem)
      : checkOwnCertificate(pair.cert, reach.publicUrl, Date.now()),
  ];
}

const OUTCOMES: Readonly<Record<SelfTestRow['outcome'], Check['outcome']>> = {
  'good': 'ok',
  'drift': 'warning',
  'failed': 'failed',
  'not offered': 'ok',
  'not tried': 'ok',
};

/** Runs the self-test with a store of its own, so that a running Perpdesk keeps its database. */
async function checkExchange({ profile, credential, budget }: ServerSettings): Promise<readonly Check[]> {
  const { baseUrl } = profile;
  if (baseUrl === null) return [ok('exchange', 'The embedded one, which starts with Perpdesk.')];
  const address = await checkAddress('exchange', baseUrl, Date.now());
  if (address.outcome === 'failed') return [address];
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-doctor-'));
  try {
    const server = await createDeskServer(
      { profile: { ...profile, baseUrl }, credential, budget, dataDir, databaseUrl: null },
      createRealPorts('error'),
    );
    try {
      const rows = await server.selfTest();
      const checks = rows.map(({ subject, outcome, remark }) => ({
        subject: `exchange ${subject}`,
        outcome: OUTCOMES[outcome],
        remark,
      }));
      return [address, ...checks];
    } finally {
      await server.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

try {
  const checks = await examine(process.env);
  console.log(formatChecks(checks));
  if (checks.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
} catch (error) {
  console.error(`perpdesk: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
