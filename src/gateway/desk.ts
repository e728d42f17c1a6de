import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Duplex } from 'node:stream';
import { refuse, refuseConnection } from './refusal.ts';

export interface DeskConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long requests in progress may still take once the desk is closing. */
  readonly graceMs?: number;
}

export interface Desk {
  /** Resolves with the address to open; rejects with the system's error when it cannot listen. */
  readonly listen: () => Promise<string>;
  /** Stops accepting, lets requests in progress finish within the grace, then ends every connection. May be called again. */
  readonly close: () => Promise<void>;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;

export function createDesk({ host, port, handle, graceMs = 4_000 }: DeskConfig): Desk {
  const server = createServer({ headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs, requireHostHeader: false });
  const connections = trackConnections(server);
  server.on('request', (request, response) => {
    if (closing !== undefined) response.shouldKeepAlive = false;
    answer(request, response, handle);
  });
  refuseWhatIsNoRequest(server, connections.isBusy);
  let closing: Promise<void> | undefined;
  return {
    listen: () => listen(server, host, port),
    close: () => (closing ??= close(server, connections.endIdle, graceMs)),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, handle: DeskConfig['handle']): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    refuse(response, 400, 'The request names no host.', { connection: 'close' });
    return;
  }
  handle(request, response);
}

/**
 * Node counts a connection as idle only after its first request. A browser opens some ahead of need, and waiting for
 * those would make every stop take the whole grace.
 */
function trackConnections(server: Server) {
  const open = new Set<Duplex>();
  const busy = new Set<Duplex>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
  });
  return {
    isBusy: (socket: Duplex) => busy.has(socket),
    endIdle: () => {
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    },
  };
}

const statusOfParserError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** What Node answers by itself to these goes out without our headers. */
function refuseWhatIsNoRequest(server: Server, isBusy: (socket: Duplex) => boolean): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Bytes written now would land in the middle of the answer that is on its way.
    if (!socket.writable || error.code === 'ECONNRESET' || isBusy(socket)) socket.destroy();
    else refuseConnection(socket, statusOfParserError[error.code ?? ''] ?? 400, 'This is not a request that can be read.');
  });
  server.on('connect', (_, socket) => {
    refuseConnection(socket, 405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' });
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

function close(server: Server, endIdle: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    endIdle();
  });
}
