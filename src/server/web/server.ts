import { chmodSync, chownSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server as NetServer, type Socket } from 'node:net';
import type { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Handler } from '#server/core/ports.ts';
import { type Certificate, toSecureContext } from '#server/core/tls-context.ts';
import { type Connections, createTlsServer, type TlsServer, trackConnections } from './connections.ts';
import { rejectConnection, sendPlainError } from './error-responses.ts';

export type HttpServerConfig = HttpServerOptions & ListenAddress;

interface HttpServerOptions {
  readonly handle: Handler;
  /** Receives errors of handlers. The client only sees that something went wrong. */
  readonly report: (error: unknown) => void;
  /** Serves HTTPS with HTTP/2 if given; otherwise plain HTTP. */
  readonly certificate?: Certificate | null;
  /** How long requests in progress may take once the server is closing. */
  readonly graceMs?: number;
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs?: number;
  /** A connection without traffic for this long is closed. */
  readonly idleTimeoutMs?: number;
}

export interface HttpServer {
  /** Resolves with the address to open; rejects with the system’s error if it cannot listen. */
  readonly listen: () => Promise<string>;
  /** New connections get this certificate; open ones keep theirs. */
  readonly useCertificate: (certificate: Certificate) => void;
  /**
   * Stops accepting, lets requests in progress finish within the grace period, then closes every connection. May be
   * called again.
   */
  readonly close: () => Promise<void>;
}

/**
 * Creates the HTTP server. It responds to anything that arrives, even if the handler fails, and closes in bounded time.
 */
export function createHttpServer(config: HttpServerConfig): HttpServer {
  const {
    handle,
    report,
    certificate = null,
    graceMs = 4_000,
    headersTimeoutMs = 10_000,
    requestTimeoutMs = 30_000,
    idleTimeoutMs = 120_000,
    ...address
  } = config;
  const options = {
    connectionsCheckingInterval: headersTimeoutMs / 2,
    // Explicit, so that no process option can relax the parser.
    insecureHTTPParser: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // With Node’s default of 5 s, a proxy would reuse a connection just as it closes.
    keepAliveTimeout: idleTimeoutMs,
    requireHostHeader: false,
  };
  const tlsServer = certificate === null ? null : createTlsServer(certificate, options);
  const server = tlsServer ?? createServer(options);
  survive(server, report);
  server.setTimeout(idleTimeoutMs);
  const connections = trackConnections(server, { handshakeMs: 2 * headersTimeoutMs, idleMs: idleTimeoutMs });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void respond(request, response, handle, report);
  });
  rejectMalformed(server, connections);
  return {
    listen: () => listen(server, address, tlsServer === null ? 'http' : 'https'),
    useCertificate: (next) => tlsServer?.setSecureContext(toSecureContext(next)),
    close: () => close(server, connections, graceMs),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handler,
  report: HttpServerConfig['report'],
): Promise<void> {
  const ambiguity = findAmbiguity(request);
  if (ambiguity !== null) {
    sendPlainError(response, ambiguity.status, ambiguity.sentence, { connection: 'close' });
    return;
  }
  try {
    await handle(request, response);
  } catch (error) {
    report(error);
    if (response.headersSent) response.destroy();
    else sendPlainError(response, 500, 'Perpdesk failed to handle this request. Its log has the reason.');
  }
}

const statusOfParserError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Replaces Node’s own responses, which would lack our headers. */
function rejectMalformed(server: Server | TlsServer, { endAfterResponses, awaitsBody }: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Already rejected. Each further chunk is reported again, and destroying the socket now would lose the response.
    if (socket.writableEnded) return;
    // A handler that awaits the rest of a body would wait forever.
    const isInVain = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && awaitsBody(socket);
    if (!socket.writable || error.code === 'ECONNRESET' || isInVain) socket.destroy();
    // Writing now would corrupt the responses in progress.
    else if (!endAfterResponses(socket)) {
      rejectConnection(socket, statusOfParserError[error.code ?? ''] ?? 400, 'Malformed HTTP request.');
    }
  });
  server.on('connect', (_: IncomingMessage, client: Duplex | Http2ServerResponse) => {
    const rejection = [405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD' }] as const;
    // In HTTP/2, a tunnel is a stream of its connection.
    if (client instanceof Http2ServerResponse) sendPlainError(client as unknown as ServerResponse, ...rejection);
    else if (!endAfterResponses(client)) rejectConnection(client, ...rejection);
    // Node no longer reads it, so without this its end would go unnoticed.
    else client.resume();
  });
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    sendPlainError(response, 417, 'Only the expectation 100-continue is supported.', { connection: 'close' });
  });
}

function close(server: Server | TlsServer, { drain, destroyAll }: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(destroyAll, graceMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    drain();
  });
}

interface AmbiguousRequest {
  readonly status: number;
  readonly sentence: string;
}

/**
 * Finds requests that Node’s parser accepts although two parsers could frame the same bytes differently (request
 * smuggling). They are rejected, and the connection is closed.
 */
function findAmbiguity(request: IncomingMessage): AmbiguousRequest | null {
  // HTTP/2 has frames, which its own parser checks. In HTTP/1, the version is what the client wrote.
  if (request instanceof Http2ServerRequest) return null;
  const { httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return { status: 505, sentence: 'Only HTTP/1.1 and HTTP/1.0 are supported.' };
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  // HTTP/1.0 has no chunks: another parser would take them for the next request.
  if (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')
    return { status: 400, sentence: 'Ambiguous request length.' };
  return null;
}

/** A port of this machine, or the path of a Unix socket, which the members of a system group may open as well. */
type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly socket: string; readonly groupId?: number | null };

/** Resolves with the address to open; rejects with the system’s error if it cannot listen. */
async function listen(server: NetServer, address: ListenAddress, scheme: 'http' | 'https'): Promise<string> {
  if ('socket' in address) return listenOnSocket(server, address.socket, address.groupId ?? null);
  const { host, port } = address;
  await untilListening(server, () => server.listen({ host, port }));
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/`;
}

/** Listens on a Unix socket, which Node removes when the server closes. */
async function listenOnSocket(server: NetServer, path: string, groupId: number | null): Promise<string> {
  const listenPrivately = (): Promise<void> =>
    untilListening(server, () => {
      asOwner(() => server.listen({ path }));
    });
  try {
    await listenPrivately();
  } catch (error) {
    if (!isInUse(error) || (await isAlive(path))) throw error;
    unlinkSync(path);
    await listenPrivately();
  }
  try {
    chmodSync(path, OWNER_ONLY);
    if (groupId !== null) shareWithGroup(path, groupId);
  } catch (error) {
    server.close();
    throw error;
  }
  return `unix:${path}`;
}

const OWNER_ONLY = 0o600;
const OWNER_AND_GROUP = 0o660;

/** Changes the group first, so that the previous one never gets access. */
function shareWithGroup(path: string, groupId: number): void {
  chownSync(path, -1, groupId);
  chmodSync(path, OWNER_AND_GROUP);
}

/** Creates the socket for its owner only: others could connect before a later change of its mode. */
function asOwner(create: () => void): void {
  const before = process.umask(0o177);
  try {
    create();
  } finally {
    process.umask(before);
  }
}

/** Whether a process listens there. A file that is not a socket is never touched. */
async function isAlive(path: string): Promise<boolean> {
  if (!lstatSync(path).isSocket()) throw Object.assign(new Error(`${path} is not a socket.`), { code: 'ENOTSOCK' });
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED');
    });
  });
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function untilListening(server: NetServer, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

function portOf(server: NetServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has a port.');
  return address.port;
}

/**
 * Keeps listeners of the server from ending the process. What they throw, in our code or Node’s, is reported, and the
 * sockets and streams involved are destroyed. A socket with an error is destroyed too: when a request leaves HTTP, as
 * with `CONNECT`, Node removes its own listener, and an error without a listener would be thrown.
 *
 * @internal Exported for its test.
 */
export function survive(server: Server | TlsServer, report: (error: unknown) => void): void {
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      socket.on('error', () => socket.destroy());
    });
  }
  const emitter: EventEmitter = server;
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (event: string | symbol, ...about: readonly unknown[]) => {
    try {
      return emit(event, ...about);
    } catch (error) {
      report(error);
      about.filter(isDestroyable).forEach((each) => each.destroy());
      return true;
    }
  };
}

function isDestroyable(value: unknown): value is Pick<Socket, 'destroy'> {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}
