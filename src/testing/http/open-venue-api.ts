import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VENUES } from '#contract/exchange/addresses.ts';
import type { Credential } from '#venue/http/authenticate.ts';
import { createVenueApi } from '#venue/venue-api.ts';
import { createApiServer, type ServerLimits } from '#venue/open-venue.ts';
import type { Exchange } from '#venue/core/ports.ts';

export const credential: Credential = {
  connectionId: '3f',
  token: 'a1b2c3d4'.repeat(8),
  accounts: ['HALC-101', 'HALC-102'],
};
export const seesAll: Credential = { connectionId: 'a11', token: '0123456789abcdef'.repeat(4), accounts: null };

export interface TextResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface OpenVenueApi {
  readonly port: number;
  /** `target` is the part of the request target after the base path. */
  readonly get: (
    target: string,
    options?: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<TextResponse>;
  readonly getSigned: (target: string, as?: Credential, method?: 'GET' | 'HEAD') => Promise<TextResponse>;
  /** Sends bytes and returns everything received until the other side ends the connection. */
  readonly sendRaw: (bytes: string | Buffer) => Promise<string>;
  /** Resolves once a connection was opened and closed. */
  readonly untilIdle: () => Promise<void>;
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
}

export const BASE = '/exchange/api';
type ApiSettings = Parameters<typeof createVenueApi>[0]['settings'];

const SETTINGS: ApiSettings = {
  basePath: BASE,
  budget: null,
  cursors: { encoding: 'percent', end: 'same' },
  speed: 1,
};

export async function openVenueApi(
  exchange: Exchange,
  { elapsed = () => performance.now(), ...change }: Partial<ApiSettings> & { readonly elapsed?: () => number } = {},
  limits?: ServerLimits,
): Promise<OpenVenueApi> {
  const profile = VENUES['sandbox'];
  if (!profile) throw new Error('The sandbox has no profile.');
  const faults: unknown[] = [];
  const api = createVenueApi({
    exchange,
    credentials: [credential, seesAll],
    profile,
    cursorKey: 'a key of the tests',
    settings: { ...SETTINGS, ...change },
    elapsed,
    pause: () => nextTurn(),
    report: (fault) => faults.push(fault),
  });
  const server = createApiServer(api, limits);
  const port = await listen(server);
  const get: OpenVenueApi['get'] = (target, options = {}) => send(port, BASE + target, options);
  return {
    port,
    get,
    getSigned: (target, as = credential, method = 'GET') =>
      get(target, { method, headers: sign(target, as, method, exchange.now()) }),
    sendRaw: (bytes) => sendRaw(port, bytes),
    untilIdle: () => untilIdle(server),
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Returns the headers of a private request, made by the published rules and without the contract's function. */
export function sign(
  target: string,
  { connectionId, token }: Credential,
  method: string,
  now: number,
): Record<string, string> {
  const timestamp = new Date(now / 1_000).toISOString();
  const [path = '', query = ''] = (BASE + target).split('?');
  const message = `${method}${path}?${query}BTNL-AUTH-TIMESTAMP${timestamp}BTNL-CONNECTION-ID${connectionId}`;
  return {
    'BTNL-CONNECTION-ID': connectionId,
    'BTNL-AUTH-TIMESTAMP': timestamp,
    'BTNL-SIGNATURE': createHmac('sha256', token).update(message).digest('base64'),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function send(port: number, path: string, options: Parameters<OpenVenueApi['get']>[1] = {}): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.write(bytes);
  });
}

async function untilIdle(server: Server): Promise<void> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  if (!socket.closed) await once(socket, 'close');
}
