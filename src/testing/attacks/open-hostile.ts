import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { VENUES } from '#contract/exchange/venues.ts';
import { createGateway } from '#server/main/create-gateway.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createLog } from '#server/ops/process/log.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { createFront } from '#server/web/front.ts';
import { sendRequest, type HttpResponse, type RequestOptions } from '../http-client.ts';
import { sendAndReadAll, type RawResponse } from './raw-responses.ts';
import { openRecordingVenue, type RecordingVenue } from './recording-venue.ts';

export const CONNECTION_ID = '3f';
export const TOKEN = '0badc0de5ca1ab1e'.repeat(4);

export interface HostileOptions {
  readonly headersTimeoutMs?: number;
  /** Ahead of the machine's clock; advanced to make cached responses old. */
  readonly now?: () => number;
}

/** A whole desk in front of a venue that records requests, with real sockets in between. */
export interface Hostile {
  readonly address: string;
  readonly venue: RecordingVenue;
  readonly request: (options: RequestOptions) => Promise<HttpResponse>;
  /** Sends bytes on a new connection and returns every response until the desk ends it, which the last request must cause. */
  readonly send: (bytes: string, method?: string) => Promise<readonly RawResponse[]>;
  /** The log of the desk, at level debug. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

/** Open once per test file; it is closed at the end. */
export async function openHostile({ headersTimeoutMs, now = Date.now }: HostileOptions = {}): Promise<Hostile> {
  const sandbox = VENUES['sandbox'];
  if (sandbox === undefined) throw new Error('The sandbox has no profile.');
  const venue = await openRecordingVenue();
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-hostile-'));
  const logged: Readonly<Record<string, unknown>>[] = [];
  const log = createLog(
    'debug',
    (line) => void logged.push(JSON.parse(line) as Readonly<Record<string, unknown>>),
    now,
  );
  const credential = { connectionId: CONNECTION_ID, token: TOKEN };
  const gateway = await createGateway(
    { profile: { ...sandbox, baseUrl: venue.baseUrl }, credential, budget: null, dataDir, databaseUrl: null },
    { ...createRealPorts('error'), now, log },
  );
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    handle: createFront(gateway.handle),
    report: (error) => {
      log('error', 'a request failed', { reason: String(error) });
    },
    ...(headersTimeoutMs !== undefined && { headersTimeoutMs }),
  });
  afterAll(async () => {
    await Promise.all([desk.close(), gateway.close()]);
    await venue.close();
    rmSync(dataDir, { recursive: true });
  });
  const address = await desk.listen();
  return {
    address,
    venue,
    logged,
    request: (options) => sendRequest(address, options),
    send: (bytes, method) => sendAndReadAll(address, bytes, method),
  };
}

/** A valid request after which the desk ends the connection: the requests before it must not swallow it. */
export const LAST = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

export function statusesOf(responses: readonly RawResponse[]): readonly number[] {
  return responses.map(({ status }) => status);
}
