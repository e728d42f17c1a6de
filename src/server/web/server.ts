import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Handler } from '#server/core/ports.ts';
import { type Certificate, toSecureContext } from '#server/core/tls-context.ts';
import { type Connections, trackConnections } from './connections.ts';
import { listen, type ListenAddress } from './listen.ts';
import { rejectConnection, sendPlainError } from './plain-error.ts';
import { survive } from './survive.ts';
import { createTlsServer, type TlsServer } from './tls-server.ts';

export type HttpServerConfig = HttpServerOptions & ListenAddress;

interface HttpServerOptions {
  readonly handle: Handler;
  /** Receives what a handler threw. The client only sees that something went wrong. */
  readonly report: (error: unknown) => void;
  /** Serves HTTPS, with HTTP/2; otherwise plain HTTP. */
  readonly certificate?: Certificate | null;
  /** How long requests in progress may still take once the server is closing. */
  readonly graceMs?: number;
  /** How long a client may take to send the head of a request. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs?: number;
  /** A connection without traffic for this long is closed. */
  readonly idleTimeoutMs?: number;
}

export interface HttpServer {
  /** Resolves with the address to open; rejects with the system's error if it cannot listen. */
  readonly listen: () => Promise<string>;
  /** New connections get this certificate; open ones go on with theirs. */
  readonly useCertificate: (certificate: Certificate) => void;
  /** Stops accepting, lets requests in progress finish within the grace period, then closes every connection. May be called again. */
  readonly close: () => Promise<void>;
}

/** The HTTP server: it responds to whatever arrives, even if the handler fails, and closes in bounded time. */
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
    // After Node's 5 s, a proxy would use a connection again just as it closes.
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

/** Node's own responses to these would lack our headers. */
function rejectMalformed(server: Server | TlsServer, { endAfterResponses, awaitsBody }: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Already rejected. Each further chunk is reported again, and destroying the socket now would lose the response.
    if (socket.writableEnded) return;
    // A handler that awaits the rest of a body would wait for ever.
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
    // Node does not read it any more: nobody would notice that its client has left.
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
 * Requests that Node's parser accepts although two parsers could frame the same bytes differently (request smuggling).
 * They are rejected, and the connection is closed.
 */
function findAmbiguity(request: IncomingMessage): AmbiguousRequest | null {
  // HTTP/2 has frames, which its own parser checks. Of HTTP/1, the version is what the client wrote.
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
