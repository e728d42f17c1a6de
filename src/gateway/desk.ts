import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Handler } from './handler.ts';
import { refuse, refuseConnection } from './refusal.ts';
import { findUnclear } from './unclear-request.ts';

export interface DeskConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly handle: Handler;
  /** Told what a handler threw; the client is told only that something went wrong. */
  readonly report: (error: unknown) => void;
  /** How long requests in progress may still take once the desk is closing. */
  readonly graceMs?: number;
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs?: number;
  /** A client that takes nothing for so long, or is told nothing, is given up. */
  readonly idleTimeoutMs?: number;
}

export interface Desk {
  /** Resolves with the address to open; rejects with the system's error when it cannot listen. */
  readonly listen: () => Promise<string>;
  /** Stops accepting, lets requests in progress finish within the grace, then ends every connection. May be called again. */
  readonly close: () => Promise<void>;
}

const requestTimeoutMs = 30_000;

/** The HTTP server of the desk: it answers whatever arrives, even where the handler fails, and ends in bounded time. */
export function createDesk({
  host,
  port,
  handle,
  report,
  graceMs = 4_000,
  headersTimeoutMs = 10_000,
  idleTimeoutMs = 120_000,
}: DeskConfig): Desk {
  const server = createServer({
    connectionsCheckingInterval: headersTimeoutMs / 2,
    // Said here, so that no option of the process can make the parser guess.
    insecureHTTPParser: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  const connections = trackConnections(server);
  server.on('request', (request, response) => {
    answer(request, response, handle, report);
  });
  refuseWhatIsNoRequest(server, connections);
  return {
    listen: () => listen(server, host, port),
    close: () => close(server, connections.drain, graceMs),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, handle: Handler, report: DeskConfig['report']): void {
  const unclear = findUnclear(request);
  if (unclear !== null) {
    refuse(response, unclear.status, unclear.sentence, { connection: 'close' });
    return;
  }
  const fail = (error: unknown): void => {
    report(error);
    if (response.headersSent) response.destroy();
    else refuse(response, 500, 'Something went wrong here; what it was is on the console of the server.');
  };
  try {
    handle(request, response)?.catch(fail);
  } catch (error) {
    fail(error);
  }
}

interface Connection {
  readonly inProgress: ServerResponse[];
  /** Ended once it owes no answer. */
  isEnding: boolean;
}

/**
 * Node counts a connection as idle only between two requests. A browser opens some ahead of need and keeps others after
 * their last answer; waiting for either would make every stop take the whole grace.
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
    /** True where the connection still owes answers: it is ended after the last of them. */
    endWhenAnswered: (socket: Duplex): boolean => {
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

/** What Node answers by itself to these goes out without our headers. */
function refuseWhatIsNoRequest(server: Server, { endWhenAnswered }: ReturnType<typeof trackConnections>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Refused already: each further piece of the same is reported anew, and to end it now would lose the refusal.
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // Bytes written now would land in the middle of the answers that are on their way.
    else if (!endWhenAnswered(socket)) {
      refuseConnection(socket, statusOfParserError[error.code ?? ''] ?? 400, 'This is not a request that can be read.');
    }
  });
  server.on('connect', (_, socket) => {
    if (!endWhenAnswered(socket)) refuseConnection(socket, 405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' });
  });
  server.on('checkExpectation', (_, response) => {
    refuse(response, 417, 'No expectation but 100-continue can be met.', { connection: 'close' });
  });
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/`);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server that listens on a port has one.');
  return address.port;
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
