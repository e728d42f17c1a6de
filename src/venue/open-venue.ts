import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatDate, Rejection, sendRejection } from './http/response.ts';
import type { VenueApi } from './venue-api.ts';
import { createVenue, type Venue, type VenuePorts } from './create-venue.ts';
import type { Credential } from './http/authenticate.ts';
import { readOrCreateCredential } from './credentials.ts';
import type { VenueSettings } from './venue-settings.ts';

/**
 * The time limits of the server.
 *
 * @internal Exported for its test.
 */
export interface ServerLimits {
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs: number;
  /** How long a client may neither read nor send anything. */
  readonly idleTimeoutMs: number;
}

const LIMITS: ServerLimits = { headersTimeoutMs: 10_000, idleTimeoutMs: 30_000 };
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES = 32_768;
/** What a rejected client may still send before its connection is closed: chunks, and the pause between two of them. */
const LINGER_CHUNKS = 64;
const LINGER_MS = 1_000;

/**
 * Creates an HTTP server for the interface, which does not listen yet. It also rejects what is not HTTP.
 *
 * @internal Exported for its test.
 */
export function createApiServer(api: VenueApi, { headersTimeoutMs, idleTimeoutMs }: ServerLimits = LIMITS): Server {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs,
    connectionsCheckingInterval: headersTimeoutMs / 10,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  const whenIdle = trackResponses(server);
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      sendRejection(
        response,
        new Rejection(400, 'The request has no Host header.', { connection: 'close' }),
        api.now(),
      );
    } else api.handle(request, response);
  };
  server.on('request', serve);
  // A client that waits for 100 Continue has a body, which is rejected anyway.
  server.on('checkContinue', serve);
  server.on('checkExpectation', (_, response) => {
    sendRejection(
      response,
      new Rejection(417, 'The Expect header is not supported.', { connection: 'close' }),
      api.now(),
    );
  });
  server.on('connect', (_, socket) => {
    whenIdle(socket, () => {
      refuse(socket, 405, 'Only GET and HEAD are allowed.', api.now());
    });
  });
  server.on('clientError', (error: ParserError, socket) => {
    whenIdle(socket, () => {
      if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, statusOf(error), 'The request is not valid HTTP.', api.now());
    });
  });
  return server;
}

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/**
 * Returns a function that acts on a connection once all its responses are sent. Bytes written earlier would land in the
 * middle of a response, and closing the connection would lose the responses to earlier requests.
 */
function trackResponses(server: Server): (socket: Duplex, act: () => void) => void {
  const pending = new Map<Duplex, Set<ServerResponse>>();
  const actions = new Map<Duplex, () => void>();
  const settle = (socket: Duplex, responses: Set<ServerResponse>, response: ServerResponse): void => {
    responses.delete(response);
    if (responses.size > 0) return;
    pending.delete(socket);
    actions.get(socket)?.();
    actions.delete(socket);
  };
  const track = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const responses = pending.get(socket) ?? new Set();
    pending.set(socket, responses.add(response));
    response.once('close', () => {
      settle(socket, responses, response);
    });
  };
  server
    .prependListener('request', track)
    .prependListener('checkContinue', track)
    .prependListener('checkExpectation', track);
  return (socket, act) => {
    if (pending.has(socket)) actions.set(socket, act);
    else act();
  };
}

/**
 * Chooses the status of a parser error. A packet without a line end is part of the request line, so the URL is too
 * long.
 */
function statusOf({ code, rawPacket }: ParserError): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  if (code !== 'HPE_HEADER_OVERFLOW') return 400;
  return rawPacket?.includes('\r\n') === false ? 414 : 431;
}

function refuse(socket: Duplex, status: number, sentence: string, now: number): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `date: ${formatDate(now)}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${sentence.length}`,
    ...(status === 405 ? ['allow: GET, HEAD'] : []),
    'connection: close',
  ];
  linger(socket);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${sentence}`);
}

/**
 * Reads on until the client is done. Closing a connection with unread bytes resets it, and the client would not see the
 * rejection. This is the connection's only error listener: without one, an error would end the process.
 */
function linger(socket: Duplex): void {
  let chunks = 0;
  const destroy = (): void => {
    socket.destroy();
  };
  socket.removeAllListeners('data').on('error', destroy);
  socket.on('data', () => {
    chunks += 1;
    if (chunks > LINGER_CHUNKS) destroy();
  });
  if (socket instanceof Socket) socket.setTimeout(LINGER_MS, destroy);
}

export interface OpenVenue {
  /** The base URL, for example `http://127.0.0.1:4010/exchange/api`. */
  readonly address: string;
  readonly identity: Venue['identity'];
  readonly credential: Credential;
  readonly copyStore: Venue['copyStore'];
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
/** How long requests may take to finish once the exchange is closing. */
const GRACE_MS = 3_000;

/** Opens the exchange on a port of this machine. If the settings have no credentials, it uses the one in the file. */
export async function openVenue(
  settings: VenueSettings,
  credentialFile: string,
  ports: VenuePorts,
): Promise<OpenVenue> {
  const [first, ...rest] = settings.credentials;
  const credentials = [first ?? readOrCreateCredential(credentialFile, ports.randomHex), ...rest] as const;
  const venue = await createVenue({ ...settings, credentials }, ports);
  const server = createApiServer(venue.api);
  try {
    await listen(server, settings.port);
  } catch (error) {
    await venue.close();
    throw new Error(listenProblem(error, settings.port), { cause: error });
  }
  venue.start();
  let closing: Promise<void> | undefined;
  return {
    address: `http://${HOST}:${portOf(server)}${venue.basePath}`,
    identity: venue.identity,
    credential: venue.credential,
    copyStore: venue.copyStore,
    close: () => (closing ??= close(server, venue, ports)),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: HOST, port }, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

function listenProblem(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return (
      `Port ${port} is in use: stop the program that uses it, or choose another with --port (0 ` +
      'takes any free one).'
    );
  if (code === 'EACCES') return `This user may not listen on port ${port}: choose a port of 1024 or above with --port.`;
  return `Cannot listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`;
}

async function close(server: Server, venue: Venue, { setTimer }: VenuePorts): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = setTimer(() => {
      server.closeAllConnections();
    }, GRACE_MS);
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
  await venue.close();
}
