import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatDate, sendRefusal } from './response.ts';
import type { VenueApi } from './venue-api.ts';
import { Refusal } from './refusal.ts';

export interface ServerLimits {
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs: number;
  /** A client that takes nothing for so long is gone. */
  readonly idleTimeoutMs: number;
}

const LIMITS: ServerLimits = { headersTimeoutMs: 10_000, idleTimeoutMs: 30_000 };
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES = 32_768;
/** What a refused client may still send, so that it gets to read why: pieces, and the pause between two. */
const LINGER_PIECES = 64;
const LINGER_MS = 1_000;

/** A server for a door, not listening yet. What is no request at all is refused in the door's own manner. */
export function createApiServer(door: VenueApi, { headersTimeoutMs, idleTimeoutMs }: ServerLimits = LIMITS): Server {
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
      sendRefusal(response, new Refusal(400, 'The request names no host.', { connection: 'close' }), door.now());
    } else door.handle(request, response);
  };
  server.on('request', serve);
  // Who waits to be told to go on would send a body, which is refused anyway.
  server.on('checkContinue', serve);
  server.on('checkExpectation', (_, response) => {
    sendRefusal(response, new Refusal(417, 'No expectation can be met here.', { connection: 'close' }), door.now());
  });
  server.on('connect', (_, socket) => {
    whenIdle(socket, () => {
      refuse(socket, 405, 'Only GET and HEAD are answered here.', door.now());
    });
  });
  server.on('clientError', (error: ParserError, socket) => {
    whenIdle(socket, () => {
      if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, statusOf(error), 'This is not a request that can be read.', door.now());
    });
  });
  return server;
}

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/**
 * Does something with a connection once all its answers are out: bytes written before would land in the middle of one,
 * and closing it would lose the answers to requests that came before the fault.
 */
function trackResponses(server: Server): (socket: Duplex, then: () => void) => void {
  const awaited = new Map<Duplex, Set<ServerResponse>>();
  const then = new Map<Duplex, () => void>();
  const settle = (socket: Duplex, answers: Set<ServerResponse>, response: ServerResponse): void => {
    answers.delete(response);
    if (answers.size > 0) return;
    awaited.delete(socket);
    then.get(socket)?.();
    then.delete(socket);
  };
  const follow = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const answers = awaited.get(socket) ?? new Set();
    awaited.set(socket, answers.add(response));
    response.once('close', () => {
      settle(socket, answers, response);
    });
  };
  server
    .prependListener('request', follow)
    .prependListener('checkContinue', follow)
    .prependListener('checkExpectation', follow);
  return (socket, act) => {
    if (awaited.has(socket)) then.set(socket, act);
    else act();
  };
}

/** A packet without a line's end is the middle of a line that never ends: the URL, since that comes first. */
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
 * Closing on bytes that were not read resets the connection, and the refusal would be lost with it. Nobody else listens
 * to the connection any more, and an error that nobody hears would end the process.
 */
function linger(socket: Duplex): void {
  let pieces = 0;
  const giveUp = (): void => {
    socket.destroy();
  };
  socket.removeAllListeners('data').on('error', giveUp);
  socket.on('data', () => {
    pieces += 1;
    if (pieces > LINGER_PIECES) giveUp();
  });
  if (socket instanceof Socket) socket.setTimeout(LINGER_MS, giveUp);
}
