import { copyDatabases, type DatabaseFile, removeCopies } from '../ops/backup/copy-databases.ts';
import { UsageError } from '../people/commands/usage-error.ts';
import type { AccessRoom } from '../people/open-access-room.ts';
import type { ControlCommands, UserCommandResult } from '../ops/control/control-commands.ts';
import { readVersion } from '../ops/process/version.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { openControl } from '../ops/control/open-control.ts';
import { createGateway, type Gateway, type GatewayConfig } from './create-gateway.ts';
import { createFront, type FrontOptions, warnOfUnnamedClients } from '../web/front.ts';
import { sendPlainError } from '../web/plain-error.ts';
import { createHttpServer, type HttpServer } from '../web/server.ts';
import { isLoopback, parseSubnets } from '../core/network.ts';
import type { GatewayPorts, Handler, Log } from '../core/ports.ts';
import { closeOnSignals } from '../ops/process/closing.ts';
import { reportCrashes } from '../ops/process/crash-report.ts';
import { createHangup, endingSignals } from '../ops/process/hangup.ts';
import { listenProblem } from '../ops/process/listen-problem.ts';
import { prepareDataFolder } from '../ops/process/data-folder.ts';
import { findPackageFolder } from '../ops/process/package-folder.ts';
import { warnOfPlainDatabase } from '../ops/process/plain-database.ts';
import { machineAccounts, warnOfOtherUsers } from '../ops/process/other-users.ts';
import { createRealPorts } from '../ops/process/real-ports.ts';
import { createSecretsReader } from '../ops/process/reread-secrets.ts';
import type { Settings } from '../ops/process/settings.ts';
import { watchFiles } from '../core/watch-files.ts';
import type { DeskSettings } from '../ops/process/desk-settings.ts';
import type { ReachSettings } from '../ops/process/reach-settings.ts';
import { readTlsPair } from '../ops/process/tls-files.ts';
import { watchCertificate } from '../ops/process/watch-certificate.ts';
import { readAppFiles } from '../web/static/app-files.ts';

/** What this Perpdesk does for the owner of its data folder. */
function createControlCommands(
  dataDir: string,
  databases: readonly (DatabaseFile | null | undefined)[],
  { user, audit }: AccessRoom['commands'],
): ControlCommands {
  removeCopies(dataDir);
  const open = databases.flatMap((database) => database ?? []);
  return {
    'copy-databases': async () => ({ version: readVersion(), ...(await copyDatabases(dataDir, open)) }),
    'user': ({ args, baseUrl }) => user(baseUrl)(args).then((lines) => ({ lines }), toMistake),
    'audit-ends': audit.ends,
    'audit-after': ({ number, limit }) => audit.after(number, limit),
  };
}

/** Any other error is passed on as one. */
function toMistake(error: unknown): UserCommandResult {
  if (error instanceof UsageError) return { mistake: error.message };
  throw error;
}

export interface ChosenVenue extends Pick<GatewayConfig, 'profile' | 'credential' | 'venueId'> {
  /** What the exchange stores in the data folder, if it is the embedded one. */
  readonly database?: DatabaseFile;
  readonly close: () => Promise<void>;
}

/**
 * Starts Perpdesk in this process: first the port, so that one in use is reported at once, then the exchange and the
 * gateway. Returns a sentence if it cannot start.
 */
export async function openDesk(all: Settings, chooseVenue: () => Promise<ChosenVenue>): Promise<string | null> {
  const { desk: settings, reach, provider, gateway: chosen } = all;
  const app = readAppFiles(join(findPackageFolder(), 'dist'));
  if (app === undefined) return 'The app is not built: run "npm start" or "npm run build".';
  const ports = createRealPorts(chosen.logLevel);
  // A log that nobody reads any more, or whose disk is full, must not stop the server.
  process.stderr.on('error', () => undefined);
  reportCrashes({ on: process.on.bind(process), exit: process.exit.bind(process) }, ports.log);
  let handle: Handler = rejectWhileStarting;
  const server = openServer(all, ports, (request, response) => handle(request, response));
  if (typeof server === 'string') return server;
  // The gateway still reads from the exchange while the server finishes its requests.
  const closing = closeOnSignals({ on: process.on.bind(process) }, endingSignals, [
    'files',
    'control',
    'streams',
    'server',
    'certificate',
    'gateway',
    'venue',
  ]);
  const hangup = createHangup({ on: process.on.bind(process) });
  closing.opened('server', server.close);
  let address;
  try {
    address = await server.listen();
  } catch (error) {
    return listenProblem(error, settings);
  }
  if (reach.tls !== null)
    closing.opened('certificate', watchCertificate(reach.tls, all.source, server.useCertificate, ports));
  try {
    // The embedded exchange writes there as well.
    prepareDataFolder(chosen.dataDir, (reason) => {
      ports.log('warn', 'data folder made private', { reason });
    });
    const venue = await chooseVenue();
    closing.opened('venue', venue.close);
    if (closing.isClosing()) {
      await closing.close();
      return null;
    }
    const gateway = await createGateway(
      { ...chosen, ...venue, provider, app, address: reach.publicUrl ?? address },
      ports,
    );
    closing.opened('streams', () => {
      gateway.endStreams();
      return Promise.resolve();
    });
    closing.opened('gateway', gateway.close);
    if (closing.isClosing()) {
      await closing.close();
      return null;
    }
    const secrets = createSecretsReader(all, gateway.changeSecrets, ports.log);
    closing.opened('files', hangup.reread(secrets.reread, watchFiles(secrets.files, ports.schedule, secrets.reread)));
    const control = await openControl(
      chosen.dataDir,
      createControlCommands(chosen.dataDir, [gateway.database, venue.database], gateway.access.commands),
      ports.log,
    );
    closing.opened('control', control.close);
    ({ handle } = gateway);
    gateway.start();
    warnOfSettings(all, ports.log);
    await inviteFirst(gateway, reach.publicUrl ?? address);
    console.log(`perpdesk: ready at ${address}`);
    return null;
  } catch (error) {
    await closing.close();
    return error instanceof Error ? error.message : String(error);
  }
}

/** Others may read a log than the one who started this desk. */
const INVITES_FIRST =
  'perpdesk: no one can sign in yet. To create an invitation link for the first administrator, run: perpdesk user invite admin';

async function inviteFirst({ access }: Gateway, address: string): Promise<void> {
  if (await access.hasNobody())
    console.log(
      process.stdout.isTTY
        ? `perpdesk: no one can sign in yet. To choose a password for the person admin, open this link within an hour: ${toNamedAddress(address)}${await access.inviteFirst()}`
        : INVITES_FIRST,
    );
}

/** Passkeys need a name, and some browsers keep no cookies of a plain address. */
function toNamedAddress(address: string): string {
  return address.replace(/\/$/, '').replace('//127.0.0.1', '//localhost');
}

/** The server, which does not listen yet, or a sentence about its certificate. */
function openServer(
  { desk, reach, source }: Pick<Settings, 'desk' | 'reach' | 'source'>,
  { log }: Pick<GatewayPorts, 'log'>,
  handle: Handler,
): HttpServer | string {
  const certificate = reach.tls === null ? null : readTlsPair(reach.tls, source);
  if (certificate !== null && 'problem' in certificate) return certificate.problem;
  return createHttpServer({
    ...desk,
    certificate,
    report: (error) => {
      log('error', 'request failed', { reason: String(error) });
    },
    // Where nobody signs in, no one is limited by network.
    handle: createFront(
      reach.access === 'local' ? handle : warnOfUnnamedClients(handle, log),
      toFrontOptions(desk, reach),
    ),
  });
}

function toFrontOptions(settings: DeskSettings, { publicUrl, tls, trustedProxies }: ReachSettings): FrontOptions {
  const isBehindProxy = tls === null && 'host' in settings && !isLoopback(settings.host);
  return {
    publicUrl,
    isTrustedProxy: parseSubnets(trustedProxies) ?? (() => false),
    isBehindProxy,
    isOnSocket: 'socket' in settings,
  };
}

function warnOfSettings({ desk, reach, gateway, unknown }: Settings, log: Log): void {
  for (const name of unknown)
    log('warn', 'unknown setting', {
      name,
      reason: `${name} is not a setting of Perpdesk and has no effect: docs/configuration.md lists them all.`,
    });
  warnOfOtherUsers(log, machineAccounts, desk, reach.access);
  warnOfPlainDatabase(log, gateway);
}

function rejectWhileStarting(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendPlainError(response, 503, 'Perpdesk is starting.', { 'retry-after': '1' });
  return Promise.resolve();
}
