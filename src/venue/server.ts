import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatDate, sendRefusal } from './http/response.ts';
import type { VenueApi } from './venue-api.ts';
import { Refusal } from './http/refusal.ts';

export interface ServerLimits {
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs: number;
  /** How long a client may read and send nothing. */
  readonly idleTimeoutMs: number;
}

const LIMITS: ServerLimits = { headersTimeoutMs: 10_000, idleTimeoutMs: 30_000 };
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES = 32_768;
/** What a refused client may still send before its connection is closed: chunks, and the pause between two. */
const LINGER_CHUNKS = 64;
const LINGER_MS = 1_000;

/** An HTTP server for the interface, not listening yet. It also refuses what is not HTTP. */
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
      sendRefusal(response, new Refusal(400, 'The request has no Host header.', { connection: 'close' }), api.now());
    } else api.handle(request, response);
  };
  server.on('request', serve);
  // A client that waits for 100 Continue has a body, which is refused anyway.
  server.on('checkContinue', serve);
  server.on('checkExpectation', (_, response) => {
    sendRefusal(response, new Refusal(417, 'The Expect header is not supported.', { connection: 'close' }), api.now());
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
 * Acts on a connection once all its responses are sent: bytes written before would land in the middle of one, and
 * closing the connection would lose the responses to earlier requests.
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

/** A packet without a line end is part of the request line, so the URL is too long. */
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
 * Closing a connection with unread bytes resets it, and the client would not see the refusal. This is the only error
 * listener of the connection: without one, an error would end the process.
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
