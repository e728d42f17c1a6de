import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { openReceiver, type Receiver, SECRET } from '../notifications/receiver.ts';
import { type PostgresServer, startPostgres } from '../postgres-server.ts';
import { type Caddy, startCaddy } from '../proxy/start-caddy.ts';
import { startServer } from '../start-desk.ts';
import type { StartedProcess } from '../start-process.ts';
import { type CountingExchange, openCountingExchange } from './counting-exchange.ts';
import { type NetworkLink, openNetworkLink } from './network-link.ts';
import { startPgbouncer } from './start-pgbouncer.ts';

/** One of several desks, which reaches the database through a link of its own. */
export interface DeskOfSet {
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Stays the same when it is started again. */
  readonly address: string;
  readonly link: NetworkLink;
  readonly process: () => StartedProcess;
  readonly kill: () => Promise<void>;
  /** Stops it in order; returns its exit code. */
  readonly stop: () => Promise<number | null>;
  /** Starts it again, in the version of this tree. */
  readonly start: (tree?: string) => Promise<void>;
}

/** Several desks on one database, in front of one exchange. */
export interface SetOfDesks {
  readonly desks: readonly DeskOfSet[];
  readonly exchange: CountingExchange;
  readonly receiver: Receiver;
  /** The database that is in use: another one once a replica has been promoted. */
  readonly postgres: () => PostgresServer;
  /** Replaces the database by a replica that lacks its last transactions. */
  readonly promoteLateReplica: () => Promise<void>;
  /** The addresses at which browsers find the desks. */
  readonly addresses: () => readonly string[];
  readonly addDesk: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface SetOptions {
  readonly names: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the desks reach the database through a pooler, and browsers reach the desks through a balancer. */
  readonly isBehindOthers: boolean;
  /** How many times as many orders the exchange has as usual. */
  readonly activity?: number;
}

const VENUE = ['--live', 'on', '--working', '300', '--orders', '1000', '--history-days', '30'];
/** How long a replica is behind when it is promoted. */
const LATE_MS = 1_500;

export async function startSetOfDesks({
  names,
  environment,
  isBehindOthers,
  activity = 1,
}: SetOptions): Promise<SetOfDesks> {
  const venue = await startVenue([...VENUE, '--activity', String(activity)]);
  const receiver = await openReceiver();
  const exchange = await openCountingExchange(venue.address);
  let postgres = await startPostgres();
  const servers = [postgres];
  const toDatabase = await openNetworkLink(socketOf(postgres));
  const pooler = isBehindOthers ? await startPgbouncer(toDatabase.port) : null;
  const settings = {
    ...environment,
    DESK_WEBHOOKS: JSON.stringify({ desk: { kind: 'standard', url: receiver.url, secret: SECRET } }),
  };
  const start = (name: string): Promise<DeskOfSet> =>
    startDeskOfSet(name, { venueUrl: exchange.address, databasePort: pooler?.port ?? toDatabase.port, settings });
  const desks: DeskOfSet[] = [];
  for (const name of names) desks.push(await start(name));
  const balancer = isBehindOthers ? await startBalancer(desks) : null;
  return {
    desks,
    exchange,
    receiver,
    postgres: () => postgres,
    promoteLateReplica: async () => {
      const replica = await postgres.startReplica();
      servers.push(replica);
      await replica.fallBehind();
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      await postgres.kill();
      await replica.promote();
      postgres = replica;
      toDatabase.leadTo(socketOf(replica));
    },
    addresses: () => (balancer === null ? desks.map(({ address }) => address) : [balancer.address]),
    addDesk: async () => {
      desks.push(await start(`desk-${String(desks.length + 1)}`));
    },
    stop: async () => {
      await balancer?.stop();
      for (const desk of desks) {
        await desk.kill();
        await desk.link.close();
        rmSync(desk.folder, { recursive: true, force: true });
      }
      await pooler?.stop();
      await Promise.all([receiver.close(), exchange.close(), venue.stop(), toDatabase.close()]);
      for (const server of servers) await server.stop();
    },
  };
}

function socketOf({ address }: PostgresServer): NetConnectOpts {
  return { path: join(decodeURIComponent(new URL(address).hostname), '.s.PGSQL.5432') };
}

/** Starts Caddy with the directives of a team's balancer. */
function startBalancer(desks: readonly DeskOfSet[]): Promise<Caddy> {
  const [, directives = ''] = /^desk\.example \{\n(.*)^\}/ms.exec(readFileSync(CADDYFILE, 'utf8')) ?? [];
  const upstreams = desks.map(({ address }) => new URL(address).host);
  return startCaddy(directives.replace(/(?<=reverse_proxy ).*(?= \{)/, upstreams.join(' ')));
}

const CADDYFILE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'container', 'Caddyfile.desks');

interface DeskDeps {
  readonly venueUrl: string;
  readonly databasePort: number;
  readonly settings: Readonly<Record<string, string>>;
}

async function startDeskOfSet(name: string, { venueUrl, databasePort, settings }: DeskDeps): Promise<DeskOfSet> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-of-set-'));
  const link = await openNetworkLink({ port: databasePort, host: '127.0.0.1' });
  const environment = {
    ...settings,
    DESK_DATABASE_URL: `postgres://perpdesk@127.0.0.1:${String(link.port)}/postgres`,
    DESK_NAME: name,
  };
  let process = await startServer(venueUrl, folder, environment);
  let isRunning = true;
  const { address } = process;
  return {
    name,
    folder,
    environment,
    address,
    link,
    process: () => process,
    kill: async () => {
      if (!isRunning) return;
      isRunning = false;
      await process.kill();
    },
    stop: async () => {
      isRunning = false;
      return process.stop();
    },
    start: async (tree) => {
      process = await startServer(venueUrl, folder, { ...environment, DESK_PORT: new URL(address).port }, tree);
      isRunning = true;
    },
  };
}
