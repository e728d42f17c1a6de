import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { copyDatabases, type DatabaseFile, removeCopies } from '#server/ops/backup/data-files.ts';
import { UsageError } from '#server/people/user-commands.ts';
import type { AccessRoom } from '#server/people/open-access-room.ts';
import type { ControlCommands, UserCommandResult } from '#server/ops/call-control.ts';
import { findPackageFolder, readVersion } from '#server/ops/process/version.ts';
import { openControl } from '#server/ops/open-control.ts';
import { createFront, type FrontOptions, warnOfUnnamedClients } from '#server/web/arrival.ts';
import { sendPlainError } from '#server/web/error-responses.ts';
import { createHttpServer, type HttpServer } from '#server/web/server.ts';
import { isLoopback, parseSubnets } from '#server/core/network.ts';
import type { ServerPorts, Handler, Log } from '#server/core/ports.ts';
import { closeOnSignals, createHangup, endingSignals, reportCrashes } from '#server/ops/process/closing.ts';
import { type DeskSettings, listenProblem } from '#server/ops/process/desk-settings.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import { machineAccounts, warnOfOtherUsers, warnOfPlainDatabase } from '#server/ops/process/exposure-warnings.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { createSecretsReader, type Settings } from '#server/ops/process/settings.ts';
import { watchFiles } from '#server/core/watch-files.ts';
import type { ReachSettings } from '#server/ops/process/reach-settings.ts';
import { readTlsPair, watchCertificate } from '#server/ops/process/tls-files.ts';
import { readAppFiles } from '#server/web/app-files.ts';
import { createDeskServer, type DeskServer, type ServerConfig } from './create-server.ts';

/** Commands that the owner of the data folder may send to the running server. */
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

/** Passes any other error on. */
function toMistake(error: unknown): UserCommandResult {
  if (error instanceof UsageError) return { mistake: error.message };
  throw error;
}

export interface ChosenVenue extends Pick<ServerConfig, 'profile' | 'credential' | 'venueId'> {
  /** The database of the embedded exchange in the data folder. */
  readonly database?: DatabaseFile;
  readonly close: () => Promise<void>;
}

/**
 * Starts Perpdesk in this process: first the port, so that one in use is reported at once, then the exchange and the
 * server. Returns a sentence if it cannot start.
 */
export async function openDesk(all: Settings, chooseVenue: () => Promise<ChosenVenue>): Promise<string | null> {
  const { desk: settings, reach, provider, server: chosen } = all;
  const app = readAppFiles(join(findPackageFolder(), 'dist'));
  if (app === undefined) return 'The app is not built: run "npm start" or "npm run build".';
  const ports = createRealPorts(chosen.logLevel);
  // A log that can no longer be written, or whose disk is full, must not stop the server.
  process.stderr.on('error', () => undefined);
  reportCrashes({ on: process.on.bind(process), exit: process.exit.bind(process) }, ports.log);
  let handle: Handler = rejectWhileStarting;
  const server = openServer(all, ports, (request, response) => handle(request, response));
  if (typeof server === 'string') return server;
  // The server still reads from the exchange while it finishes its requests.
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
    // The embedded exchange writes there too.
    prepareDataFolder(chosen.dataDir, (reason) => {
      ports.log('warn', 'data folder made private', { reason });
    });
    const venue = await chooseVenue();
    closing.opened('venue', venue.close);
    if (closing.isClosing()) {
      await closing.close();
      return null;
    }
    const server = await createDeskServer(
      { ...chosen, ...venue, provider, app, address: reach.publicUrl ?? address },
      ports,
    );
    closing.opened('streams', () => {
      server.endStreams();
      return Promise.resolve();
    });
    closing.opened('gateway', server.close);
    if (closing.isClosing()) {
      await closing.close();
      return null;
    }
    const secrets = createSecretsReader(all, server.changeSecrets, ports.log);
    closing.opened('files', hangup.reread(secrets.reread, watchFiles(secrets.files, ports.schedule, secrets.reread)));
    const control = await openControl(
      chosen.dataDir,
      createControlCommands(chosen.dataDir, [server.database, venue.database], server.access.commands),
      ports.log,
    );
    closing.opened('control', control.close);
    ({ handle } = server);
    server.start();
    warnOfSettings(all, ports.log);
    await inviteFirst(server, reach.publicUrl ?? address);
    console.log(`perpdesk: ready at ${address}`);
    return null;
  } catch (error) {
    await closing.close();
    return error instanceof Error ? error.message : String(error);
  }
}

/** Printed instead of a link if the output is a log, which others than the administrator may read. */
const INVITES_FIRST =
  'perpdesk: no one can sign in yet. To create an invitation link for the first administrator, run: ' +
  'perpdesk user invite admin';

async function inviteFirst({ access }: DeskServer, address: string): Promise<void> {
  if (await access.hasNobody())
    console.log(
      process.stdout.isTTY
        ? 'perpdesk: no one can sign in yet. To choose a password for the person admin, open this link ' +
            `within an hour: ${toNamedAddress(address)}${await access.inviteFirst()}`
        : INVITES_FIRST,
    );
}

/** Passkeys need a name, and some browsers keep no cookies of a plain address. */
function toNamedAddress(address: string): string {
  return address.replace(/\/$/, '').replace('//127.0.0.1', '//localhost');
}

/** Creates the server without listening yet. Returns a sentence if its certificate cannot be used. */
function openServer(
  { desk, reach, source }: Pick<Settings, 'desk' | 'reach' | 'source'>,
  { log }: Pick<ServerPorts, 'log'>,
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
    // Without sign-in, networks have no limits.
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

function warnOfSettings({ desk, reach, server, unknown }: Settings, log: Log): void {
  for (const name of unknown)
    log('warn', 'unknown setting', {
      name,
      reason: `${name} is not a setting of Perpdesk and has no effect: docs/configuration.md lists them all.`,
    });
  warnOfOtherUsers(log, machineAccounts, desk, reach.access);
  warnOfPlainDatabase(log, server);
}

function rejectWhileStarting(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendPlainError(response, 503, 'Perpdesk is starting.', { 'retry-after': '1' });
  return Promise.resolve();
}
