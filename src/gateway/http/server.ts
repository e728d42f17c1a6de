import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Handler } from '../ports.ts';
import { sendPlainError, rejectConnection } from './plain-error.ts';
import { findAmbiguity } from './ambiguous-request.ts';
import { listen, type ListenAddress } from './listen.ts';

export type HttpServerConfig = HttpServerOptions & ListenAddress;

interface HttpServerOptions {
  readonly handle: Handler;
  /** Receives what a handler threw. The client only sees that something went wrong. */
  readonly report: (error: unknown) => void;
  /** How long requests in progress may still take once the server is closing. */
  readonly graceMs?: number;
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs?: number;
  /** A connection without traffic for this long is closed. */
  readonly idleTimeoutMs?: number;
}

export interface HttpServer {
  /** Resolves with the address to open; rejects with the system's error if it cannot listen. */
  readonly listen: () => Promise<string>;
  /** Stops accepting, lets requests in progress finish within the grace period, then closes every connection. May be called again. */
  readonly close: () => Promise<void>;
}

const requestTimeoutMs = 30_000;

/** The HTTP server: it responds to whatever arrives, even if the handler fails, and closes in bounded time. */
export function createHttpServer({
  handle,
  report,
  graceMs = 4_000,
  headersTimeoutMs = 10_000,
  idleTimeoutMs = 120_000,
  ...address
}: HttpServerConfig): HttpServer {
  const server = createServer({
    connectionsCheckingInterval: headersTimeoutMs / 2,
    // Explicit, so that no process option can relax the parser.
    insecureHTTPParser: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  const connections = trackConnections(server);
  server.on('request', (request, response) => {
    respond(request, response, handle, report);
  });
  rejectMalformed(server, connections);
  return {
    listen: () => listen(server, address),
    close: () => close(server, connections.drain, graceMs),
  };
}

function respond(request: IncomingMessage, response: ServerResponse, handle: Handler, report: HttpServerConfig['report']): void {
  const ambiguity = findAmbiguity(request);
  if (ambiguity !== null) {
    sendPlainError(response, ambiguity.status, ambiguity.sentence, { connection: 'close' });
    return;
  }
  const fail = (error: unknown): void => {
    report(error);
    if (response.headersSent) response.destroy();
    else sendPlainError(response, 500, 'Perpdesk failed to handle this request. Its log has the reason.');
  };
  try {
    handle(request, response)?.catch(fail);
  } catch (error) {
    fail(error);
  }
}

interface Connection {
  readonly inProgress: ServerResponse[];
  /** Closed once all its responses are sent. */
  isEnding: boolean;
}

/**
 * Node counts a connection as idle only between two requests. Browsers open some in advance and keep others open after
 * the last response; waiting for either would make every stop take the whole grace period.
 */
function trackConnections(server: Server) {
  const open = new Map<Duplex, Connection>();
  let draining = false;
  server.on('connection', (socket) => {
    open.set(socket, { inProgress: [], isEnding: false });
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.inProgress.push(response);
    response.once('close', () => {
      connection.inProgress.splice(connection.inProgress.indexOf(response), 1);
      if ((draining || connection.isEnding) && connection.inProgress.length === 0) socket.end();
    });
  });
  return {
    /** True while the connection has responses in progress: it is closed after the last of them. */
    endAfterResponses: (socket: Duplex): boolean => {
      const connection = open.get(socket);
      if (connection === undefined || connection.inProgress.length === 0) return connection?.isEnding === true;
      connection.isEnding = true;
      return true;
    },
    drain: () => {
      draining = true;
      for (const [socket, { inProgress }] of open) {
        for (const response of inProgress) response.shouldKeepAlive = false;
        if (inProgress.length === 0) socket.destroy();
      }
    },
  };
}

const statusOfParserError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Node's own responses to these would lack our headers. */
function rejectMalformed(server: Server, { endAfterResponses }: ReturnType<typeof trackConnections>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Already rejected. Each further chunk is reported again, and destroying the socket now would lose the response.
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // Writing now would corrupt the responses in progress.
    else if (!endAfterResponses(socket)) {
      rejectConnection(socket, statusOfParserError[error.code ?? ''] ?? 400, 'Malformed HTTP request.');
    }
  });
  server.on('connect', (_, socket) => {
    if (!endAfterResponses(socket)) rejectConnection(socket, 405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD' });
  });
  server.on('checkExpectation', (_, response) => {
    sendPlainError(response, 417, 'Only the expectation 100-continue is supported.', { connection: 'close' });
  });
}

function close(server: Server, drain: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    drain();
  });
}
