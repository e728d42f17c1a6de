import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commands } from '#cli/commands.mjs';
import { memoryLimits } from '#cli/node-flags.mjs';
import { type ServerSettings, toBudgetText } from '#server/ops/process/server-settings.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { openVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';
import { openBalancer } from './balancer.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Plan extends Pick<ServerSettings, 'dataDir' | 'profile' | 'budget'> {
  readonly count: number;
  /** The port of the balancer; those of the desks follow it. */
  readonly port: number;
}

const { gateway: command } = commands;
const MOST = 16;
const USUAL = '3';

/**
 * Runs several desks, with a balancer in front of them, until this process receives a signal. Without an exchange in
 * the settings, they share the embedded one. Returns a sentence for each reason why they cannot start.
 */
export async function runDesks(environment: Environment, args: readonly string[]): Promise<readonly string[]> {
  const plan = toPlan(environment, args);
  if ('problems' in plan) return plan.problems;
  const desks = createProcesses();
  const stopping = signalToStop();
  const venue = plan.profile.baseUrl === null ? await openSharedVenue(plan) : null;
  try {
    const starting = Array.from({ length: plan.count }, (_, index) =>
      desks.start(`desk ${String(index + 1)}`, { ...environment, ...venue?.settings, ...settingsOf(plan, index + 1) }),
    );
    const addresses = await Promise.all(starting);
    const balancer = await openBalancer(
      plan.port,
      addresses.map((address) => Number(new URL(address).port)),
    );
    for (const [index, address] of addresses.entries())
      console.log(`perpdesk: desk ${String(index + 1)} at ${address}`);
    console.log(`perpdesk: ready at http://127.0.0.1:${String(balancer.port)}/ for all of them`);
    await Promise.race([stopping, desks.allEnded()]);
    await desks.stop();
    await balancer.close();
    return [];
  } catch (error) {
    await desks.stop();
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await venue?.close();
  }
}

function toPlan(
  environment: Environment,
  [number = USUAL, ...surplus]: readonly string[],
): Plan | { readonly problems: readonly string[] } {
  const count = Number(number);
  if (surplus.length > 0 || !Number.isInteger(count) || count < 1 || count > MOST)
    return { problems: [`"desks" takes the number of desks, from 1 to ${String(MOST)}.`] };
  const { settings, problems } = readSettings({ ...environment });
  if (problems !== null) return { problems };
  const { desk, reach, server } = settings;
  if (server.databaseUrl === null)
    return {
      problems: [
        'DESK_DATABASE_URL is missing: several desks share a PostgreSQL database. In a checkout, "npm run desks" starts one.',
      ],
    };
  if ('socket' in desk || reach.tls !== null)
    return {
      problems: ['"desks" listens on a port of this machine without TLS: remove DESK_SOCKET and DESK_TLS_CERT.'],
    };
  return { ...server, count, port: desk.port };
}

/** Each desk has a folder of its own; what they share is in the database. */
function settingsOf({ port, dataDir }: Plan, number: number): Environment {
  const folder = join(dataDir, `desk-${String(number)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    DESK_PORT: port === 0 ? '0' : String(port + number),
    DESK_DATA_DIR: folder,
    DESK_NAME: `desk-${String(number)}`,
  };
}

/** Opens the embedded exchange at an address that is the same at the next start: the stored data belong to it. */
async function openSharedVenue({ port, dataDir, budget }: Plan) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const options = ['--port', port === 0 ? '0' : String(port + MOST + 1), '--store', join(dataDir, 'venue.sqlite')];
  const { settings } = readVenueSettings([...options, '--budget', toBudgetText(budget)]);
  if (settings === null) throw new Error('The embedded exchange rejects its options.');
  const venue = await openVenue(settings, join(dataDir, 'venue-credential'), realPorts);
  return {
    settings: {
      DESK_VENUE_URL: venue.address,
      DESK_CONNECTION_ID: venue.credential.connectionId,
      DESK_AUTH_TOKEN: venue.credential.token,
    },
    close: venue.close,
  };
}

function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        resolve();
      });
  });
}

/** The desks, each in a process of its own. */
function createProcesses() {
  const running = new Set<ChildProcess>();
  const endings: Promise<unknown>[] = [];
  let isStopping = false;
  return {
    /** Resolves with the address that it prints once it is ready. */
    start: (name: string, environment: Environment): Promise<string> => {
      const { nodeFlags = [] } = command;
      const child = spawn(process.execPath, [...nodeFlags, PROGRAM], {
        env: { ...memoryLimits, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
        // Ctrl-C in a terminal is for this process, which then stops the desks while they can still write.
        detached: true,
      });
      running.add(child);
      const ended = once(child, 'exit').then(([code, signal]: readonly unknown[]) => {
        running.delete(child);
        if (!isStopping) console.error(`perpdesk: ${name} has ended (${String(signal ?? code)})`);
      });
      endings.push(ended);
      return Promise.race([
        readAddress(child),
        ended.then(() => Promise.reject(new Error(`${name} did not start: see above.`))),
      ]);
    },
    allEnded: () => Promise.all(endings),
    stop: async (): Promise<void> => {
      isStopping = true;
      for (const child of running) child.kill('SIGTERM');
      await Promise.all(endings);
    },
  };
}

/** In the package, each command is a file beside this one. */
const PROGRAM = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '..', '..', command.program)
  : join(import.meta.dirname, 'gateway.js');

function readAddress({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (stdout === null) return;
    createInterface(stdout).on('line', (line) => {
      const address = /ready at (\S+)/.exec(line)?.[1];
      if (address === undefined) console.log(line);
      else resolve(address);
    });
  });
}
