import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
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
import {
  closeOnSignals,
  createHangup,
  endingSignals,
  reportCrashes,
  reportWarnings,
} from '#server/ops/process/closing.ts';
import { type DeskSettings, listenProblem } from '#server/ops/process/desk-settings.ts';
import { prepareDataFolder, rememberStore } from '#server/ops/process/data-folder.ts';
import { machineAccounts, noteOtherUsers, warnOfPlainDatabase } from '#server/ops/process/exposure-warnings.ts';
import { createRealPorts, endWithin } from '#server/ops/process/real-ports.ts';
import { createSecretsReader, type Settings } from '#server/ops/process/settings.ts';
import { watchFiles } from '#server/core/watch-files.ts';
import type { ReachSettings } from '#server/ops/process/reach-settings.ts';
import { readTlsPair, watchCertificate } from '#server/ops/process/tls-files.ts';
import { toPlace } from '#server/store/open-store.ts';
import { readAppFiles } from '#server/web/app-files.ts';
import { createDeskServer, type DeskServer } from './create-server.ts';
import type { ServerConfig } from './server-config.ts';

/** Commands that the owner of the data folder may send to the running server. */
function createControlCommands(
  dataDir: string,
  databases: readonly (DatabaseFile | null | undefined)[],
  { user, audit }: AccessRoom['commands'],
  { ofLinks, ofOwn }: Addresses,
): ControlCommands {
  removeCopies(dataDir);
  const open = databases.flatMap((database) => database ?? []);
  return {
    'copy-databases': async () => ({ version: readVersion(), ...(await copyDatabases(dataDir, open)) }),
    'manage-people': ({ args, by }) =>
      user({ base: ofLinks, note: ofLinks === '' ? NO_ADDRESS : null, by })(args).then(
        (lines) => ({ lines }),
        toMistake,
      ),
    'address': () => Promise.resolve(ofOwn),
    'audit-ends': audit.ends,
    'audit-after': ({ number, limit }) => audit.after(number, limit),
  };
}

const NO_ADDRESS = 'Put the address of Perpdesk before it, which DESK_PUBLIC_URL does not say.';

interface Addresses {
  /** Precedes paths in links for people; empty if unknown. */
  readonly ofLinks: string;
  /** For programs on this machine; empty if unknown. */
  readonly ofOwn: string;
}

/** Without TLS, this machine need not take the way of others, which may lead through a proxy with a sign-in. */
function toAddresses(publicUrl: string | null, address: string): Addresses {
  const open = publicUrl ?? (address.startsWith('unix:') ? '' : address);
  return {
    ofLinks: toNamedAddress(open),
    ofOwn:
      address.startsWith('http:') && isLoopback(new URL(address).hostname.replace(/^\[|\]$/g, '')) ? address : open,
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
  const on = process.on.bind(process);
  reportCrashes({ on, exit: process.exit.bind(process) }, ports.log);
  reportWarnings(process, ports.log);
  let handle: Handler = rejectWhileStarting;
  const server = openServer(all, ports, (request, response) => handle(request, response));
  if (typeof server === 'string') return server;
  // The server still reads from the exchange while it finishes its requests.
  const closing = closeOnSignals({ on, endWithin }, endingSignals, {
    order: ['files', 'control', 'streams', 'server', 'certificate', 'gateway', 'venue', 'log'],
    slow: 'streams',
  });
  const hangup = createHangup({ on });
  try {
    closing.opened('server', server.close);
    const address = await server.listen().catch((error: unknown) => {
      throw new Error(listenProblem(error, settings), { cause: error });
    });
    if (reach.tls !== null)
      closing.opened('certificate', watchCertificate(reach.tls, all.source, server.useCertificate, ports));
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
    const desk = await createDeskServer(
      {
        ...chosen,
        ...venue,
        provider,
        app,
        address: reach.publicUrl ?? address,
        name: chosen.name ?? toName(settings),
      },
      ports,
    );
    closing.opened('streams', () => {
      // A balancer or browser that kept its connection would not go to another desk.
      handle = closingConnections(desk.handle);
      return desk.drain();
    });
    closing.opened('gateway', desk.close);
    rememberStore(chosen.dataDir, chosen.databaseUrl === null ? null : toPlace(chosen.databaseUrl));
    if (closing.isClosing()) {
      await closing.close();
      return null;
    }
    const addresses = toAddresses(reach.publicUrl, address);
    const secrets = createSecretsReader(all, desk.changeSecrets, ports.log);
    closing.opened('files', hangup.reread(secrets.reread, watchFiles(secrets.files, ports.schedule, secrets.reread)));
    const control = await openControl(
      chosen.dataDir,
      createControlCommands(chosen.dataDir, [desk.database, venue.database], desk.access.commands, addresses),
      ports.log,
    );
    closing.opened('control', control.close);
    ({ handle } = desk);
    desk.start();
    warnOfSettings(all, ports.log);
    await inviteFirst(desk, addresses.ofLinks);
    ports.log('info', 'started', { version: readVersion(), address, access: reach.access });
    closing.opened('log', () => {
      ports.log('info', 'stopped');
      return Promise.resolve();
    });
    console.log(`perpdesk: ready at ${address}`);
    return null;
  } catch (error) {
    await closing.close();
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns a name that stays the same when Perpdesk starts again, if its port does. */
function toName(settings: DeskSettings): string {
  const isFixed = 'port' in settings && settings.port !== 0;
  return `${hostname()}:${String(isFixed ? settings.port : process.pid)}`;
}

/** Printed instead of a link if the output is a log, which others than the administrator may read. */
const INVITES_FIRST =
  'perpdesk: no one can sign in yet. To create an invitation link for the first administrator, run this as the ' +
  'user that Perpdesk runs as, and with its --config or DESK_DATA_DIR: perpdesk user invite admin';

async function inviteFirst({ access }: DeskServer, base: string): Promise<void> {
  if (await access.hasNobody())
    console.log(
      process.stdout.isTTY
        ? 'perpdesk: no one can sign in yet. To choose a password for the person admin, open this link ' +
            `within an hour: ${base}${await access.inviteFirst()}`
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
  noteOtherUsers(log, machineAccounts, desk, reach.access);
  warnOfPlainDatabase(log, server);
}

function closingConnections(handle: Handler): Handler {
  return (request, response) => {
    if (request.httpVersionMajor === 1) response.setHeader('connection', 'close');
    return handle(request, response);
  };
}

function rejectWhileStarting(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendPlainError(response, 503, 'Perpdesk is starting.', { 'retry-after': '1' });
  return Promise.resolve();
}
