import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createDeskServer } from '#server/main/create-server.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createLog, createRealPorts } from '#server/ops/process/real-ports.ts';
import { createFront } from '#server/web/arrival.ts';
import { sendRequest, type HttpResponse, type RequestOptions } from '../http-client.ts';
import { sendAndReadAll, type RawResponse } from './raw-responses.ts';
import { openRecordingVenue, type RecordingVenue } from './recording-venue.ts';

export const CONNECTION_ID = '3f';
export const TOKEN = '0badc0de5ca1ab1e'.repeat(4);

export interface HostileOptions {
  readonly headersTimeoutMs?: number;
  /** The clock is ahead of the machine's, and is advanced to make cached responses old. */
  readonly now?: () => number;
}

/** A whole server in front of an exchange that records requests, with real sockets in between. */
export interface Hostile {
  readonly address: string;
  readonly venue: RecordingVenue;
  readonly request: (options: RequestOptions) => Promise<HttpResponse>;
  /**
   * Sends bytes on a new connection and returns every response until the server ends it, which the last request must
   * cause.
   */
  readonly send: (bytes: string, method?: string) => Promise<readonly RawResponse[]>;
  /** The server's log, at level debug. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

/** Opens the server once per test file and closes it at the end. */
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
  const server = await createDeskServer(
    { profile: { ...sandbox, baseUrl: venue.baseUrl }, credential, budget: null, dataDir, databaseUrl: null },
    { ...createRealPorts('error'), now, log },
  );
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    handle: createFront(server.handle),
    report: (error) => {
      log('error', 'a request failed', { reason: String(error) });
    },
    ...(headersTimeoutMs !== undefined && { headersTimeoutMs }),
  });
  afterAll(async () => {
    await Promise.all([desk.close(), server.close()]);
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

/** A valid request after which the server ends the connection. The requests before it must not swallow it. */
export const LAST = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

export function statusesOf(responses: readonly RawResponse[]): readonly number[] {
  return responses.map(({ status }) => status);
}
