import { mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { API_PREFIX } from '#contract/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/endpoints.ts';
import { toMountPrefix, type VenueProfile } from '#contract/venues.ts';
import { createDisk } from './disk.ts';
import { createApi, type AnsweredRequest } from './front/api.ts';
import { createEncodings } from './front/encodings.ts';
import { createQuestions } from './front/questions.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { Handler } from './handler.ts';
import type { Log } from './log.ts';
import { createActivity } from './own/activity.ts';
import { createEstimateStore } from './own/funding/estimate-store.ts';
import { noteEstimates } from './own/funding/noted-estimates.ts';
import { openFundingBook } from './own/funding/open-funding.ts';
import { createOwnApi } from './own/own-api.ts';
import { createWatch, type Watch } from './own/watch.ts';
import type { Ledger, Venue } from './ports.ts';
import { toPublicQuestion } from './question.ts';
import { createKept } from './reuse/kept.ts';
import { createLedger } from './reuse/ledger.ts';
import { createMemory } from './reuse/memory.ts';
import { createPermitLog } from './reuse/permit-log.ts';
import { createReader } from './reuse/reader.ts';
import { createTally } from './reuse/tally.ts';
import type { Schedule } from './reuse/waiting-line.ts';
import { createSigner } from './upstream/signer.ts';
import { createTransport, type TransportLimits } from './upstream/transport.ts';
import { createVenueClock } from './upstream/venue-clock.ts';
import { createVenueClient } from './upstream/venue-client.ts';

export interface GatewayConfig extends Pick<GatewaySettings, 'credential' | 'budget' | 'dataDir'> {
  /** With the address it is reached at. */
  readonly profile: VenueProfile & { readonly baseUrl: string };
  /** What the venue's answers are kept under, where its address is another at each start; else that address. */
  readonly venueId?: string;
  /** How long the venue may take, where not as long as usual. */
  readonly limits?: Partial<TransportLimits>;
}

/** The world outside, which only entry files have. */
export interface GatewayPorts {
  readonly now: () => number;
  /** Milliseconds since the machine was started: goes on evenly, however the clock is set, but may stand still while it sleeps. */
  readonly elapsed: () => number;
  readonly schedule: Schedule;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly residentBytes: () => number;
  readonly log: Log;
}

export interface Gateway {
  /** Answers what is the gateway's; undefined for any other path. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => ReturnType<Handler>;
  readonly isOurs: (request: IncomingMessage) => boolean;
  /** Tries the venue, so that its clock is known and `readyz` tells the truth, and watches for its return when it is away. */
  readonly start: () => void;
  readonly selfTest: Watch['selfTest'];
  readonly close: () => Promise<void>;
}

const MEMORY_BYTES = 32 * 1_024 * 1_024;
const DISK_BYTES = 512 * 1_024 * 1_024;
const MOST_ESTIMATES = 50_000;

/** The signing proxy, whole: holds the key, spends the budget, keeps what it may, tells the truth. */
export function createGateway(config: GatewayConfig, ports: GatewayPorts): Gateway {
  const { profile, credential } = config;
  const { now, elapsed, schedule, log } = ports;
  const database = openDatabase(config.dataDir);
  const disk = createDisk(database, {
    elapsed,
    report: ({ message }) => {
      log('error', 'the disk cannot be read or written', { reason: message });
    },
  });
  const ledger = createLedger(createTally(config.budget, createPermitLog(disk, { now, elapsed }), elapsed), schedule, elapsed);
  const { venueId = profile.baseUrl } = config;
  // Another environment of a venue is another venue: its mount tells them apart.
  const fundingId = `${venueId} ${toMountPrefix(profile, 'funding')}`;
  const estimates = createEstimateStore(disk, fundingId, MOST_ESTIMATES);
  const venue = noteEstimates(openVenue(config, ports, ledger), estimates);
  const reader = createReader({
    venue,
    memory: createMemory(MEMORY_BYTES),
    kept: createKept(disk, DISK_BYTES),
    now,
    elapsed,
    venueId,
    identity: credential?.connectionId ?? '',
  });
  const funding = openFundingBook({ disk, venueId: fundingId, profile, reader, venue, estimates, now, elapsed });
  const activity = createActivity();
  const report = (request: AnsweredRequest): void => {
    activity.note(request, now());
    logRequest(log, request);
  };
  const question = toPublicQuestion(profile);
  const watch = createWatch({ profile, reader, venue: venue.state, question, schedule, now, log });
  const nextRequestId = createRequestIds(now());
  const api = createApi({ questions: createQuestions(API_PREFIX, profile), reader, encodings: createEncodings(), now, nextRequestId, report });
  const own = createOwnApi({ profile, reader, venue, ledger, disk, activity, funding, estimates, watch, startedAt: now(), now, elapsed, residentBytes: ports.residentBytes, nextRequestId, report });
  return {
    isOurs: ({ url = '' }) => isOurs(url),
    handle: (request, response) => own.handle(request, response) ?? api.handle(request, response),
    start: watch.start,
    selfTest: watch.selfTest,
    close: async () => {
      watch.close();
      ledger.close();
      await reader.close();
      database.close();
    },
  };
}

/** Other people of the same machine have no business in it. */
const OWNER_ONLY = 0o700;
const DATABASE = 'gateway.sqlite';

/** Two desks on one folder would each spend the whole budget: the file is locked for as long as it is open. */
function openDatabase(dataDir: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
    database = new DatabaseSync(join(dataDir, DATABASE));
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('begin exclusive; commit');
    return database;
  } catch (error) {
    database?.close();
    throw new Error(describeUnopened(dataDir, error), { cause: error });
  }
}

/** SQLite's own numbers for a file that somebody else has locked, and for one that is no sound database. */
const IN_USE: readonly unknown[] = [5, 6];
const DAMAGED: readonly unknown[] = [11, 26];

function describeUnopened(dataDir: string, error: unknown): string {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (IN_USE.includes(code)) return `${dataDir} is in use by another desk: end that one, or set DESK_DATA_DIR to another folder.`;
  if (DAMAGED.includes(code)) return `${join(dataDir, DATABASE)} is damaged: move it away, and the desk makes a new one and reads from the venue again what it held.`;
  const why = error instanceof Error ? error.message : String(error);
  return `${dataDir} cannot be written (${why}): set DESK_DATA_DIR to another folder.`;
}

function openVenue({ profile, credential, limits }: GatewayConfig, { now, elapsed, pause, random, schedule }: GatewayPorts, ledger: Ledger): Venue {
  const { baseUrl } = profile;
  return createVenueClient({
    profile,
    baseUrl,
    basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
    transport: createTransport({ baseUrl, schedule, limits }),
    ledger,
    clock: createVenueClock(),
    signer: credential && createSigner(credential.connectionId, credential.token),
    now,
    elapsed,
    pause,
    random,
  });
}

const OWN_PATHS = ['/healthz', '/readyz', '/metrics'];

function isOurs(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`) || OWN_PATHS.includes(path);
}

/** Unique among the desk's own: when it started, and a number. */
function createRequestIds(startedAt: number): () => string {
  const prefix = startedAt.toString(36);
  let count = 0;
  return () => `${prefix}-${(count += 1).toString(36)}`;
}

const FIRST_FAULT = 500;

function logRequest(log: Log, request: AnsweredRequest): void {
  const isOwnFault = request.how === 'desk-fault';
  const level = request.status >= FIRST_FAULT ? 'warn' : 'debug';
  log(isOwnFault ? 'error' : level, 'answered', () => {
    const { error, ...told } = request;
    const reason = error instanceof Error ? reasonOf(request, error) : undefined;
    return { ...told, ...(reason !== undefined && { reason }) };
  });
}

/** A refusal may quote the venue, which quotes the question: of a private one, `how` has to say enough. */
function reasonOf({ endpoint, how }: AnsweredRequest, error: Error): string | undefined {
  if (how === 'desk-fault') return error.stack;
  const isPublic = ENDPOINT_NAMES.some((name) => name === endpoint && ENDPOINTS[name].access === 'public');
  return isPublic ? error.message : undefined;
}
