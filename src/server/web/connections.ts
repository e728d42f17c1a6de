import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type Certificate, toSecureContext } from '#server/core/tls-context.ts';
import { isWhole } from './request-context.ts';
import { endSoon } from './error-responses.ts';

interface ConnectionLimits {
  /** How long a client may take for the TLS handshake. */
  readonly handshakeMs: number;
  /** A connection without traffic is closed after this time at the latest; Node closes it earlier if it notices. */
  readonly idleMs: number;
}

interface Connection {
  readonly inProgress: ServerResponse[];
  /** Whether it is to be closed once all its responses are sent. */
  isEnding: boolean;
}

export interface Connections {
  /** Returns true if the connection has responses in progress: it is closed after the last of them. */
  readonly endAfterResponses: (socket: Duplex) => boolean;
  /** Whether a request is in progress whose body has not arrived completely. */
  readonly awaitsBody: (socket: Duplex) => boolean;
  /** Closes each connection once it has no response in progress. */
  readonly drain: () => void;
  readonly destroyAll: () => void;
}

/**
 * Tracks which connections have responses in progress. Node counts a connection as idle only between two requests, but
 * browsers open some in advance and keep others open after the last response; waiting for either would make every stop
 * take the whole grace period.
 */
export function trackConnections(server: Server | TlsServer, { handshakeMs, idleMs }: ConnectionLimits): Connections {
  const open = new Map<Duplex, Connection>();
  let draining = false;
  const track = (socket: Duplex): void => {
    open.set(socket, { inProgress: [], isEnding: false });
    socket.once('close', () => open.delete(socket));
  };
  const beneath = 'setSecureContext' in server ? trackBeneath(server, track, { handshakeMs, idleMs }) : null;
  if (beneath === null) server.on('connection', track);
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.inProgress.push(response);
    response.once('close', () => {
      connection.inProgress.splice(connection.inProgress.indexOf(response), 1);
      if ((draining || connection.isEnding) && connection.inProgress.length === 0) endSoon(socket);
    });
  });
  return {
    endAfterResponses: (socket) => {
      const connection = open.get(socket);
      if (connection === undefined || connection.inProgress.length === 0) return connection?.isEnding === true;
      connection.isEnding = true;
      return true;
    },
    awaitsBody: (socket) => open.get(socket)?.inProgress.some(({ req }) => !isWhole(req)) === true,
    drain: () => {
      draining = true;
      beneath?.drain();
      for (const [socket, { inProgress }] of open) {
        for (const response of inProgress) response.shouldKeepAlive = false;
        if (inProgress.length === 0) socket.destroy();
      }
    },
    destroyAll: () => {
      beneath?.destroyAll();
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

/**
 * Tracks what a TLS server has besides HTTP/1 connections: unfinished handshakes and HTTP/2 sessions. When a connection
 * is reset during its handshake, Node sometimes forgets the socket, which would stay open forever.
 */
function trackBeneath(
  server: TlsServer,
  track: (socket: Duplex) => void,
  { handshakeMs, idleMs }: ConnectionLimits,
): Pick<Connections, 'drain' | 'destroyAll'> {
  /** By client: of one address and port, only the newest connection can be alive. */
  const handshakes = new Map<string, Socket>();
  const sessions = new Set<ServerHttp2Session>();
  /** With the bytes that had passed at the last check. */
  const sockets = new Map<Socket, number>();
  const keep = (socket: Socket): void => {
    sockets.set(socket, NaN);
    socket.once('close', () => sockets.delete(socket));
  };
  const sweep = setInterval(() => {
    endSilent(sockets);
  }, idleMs);
  server.once('close', () => {
    clearInterval(sweep);
  });
  server.on('connection', (socket: Socket) => {
    keep(socket);
    const client = clientOf(socket);
    handshakes.get(client)?.destroy();
    handshakes.set(client, socket);
    const isInHandshake = (): boolean => handshakes.get(client) === socket;
    const overdue = setTimeout(() => {
      if (isInHandshake()) socket.destroy();
    }, handshakeMs);
    socket.once('close', () => {
      clearTimeout(overdue);
      if (isInHandshake()) handshakes.delete(client);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    keep(socket);
    // Node does not say which socket is beneath this one.
    const client = clientOf(socket);
    const beneath = handshakes.get(client);
    handshakes.delete(client);
    socket.once('close', () => beneath?.destroy());
    if (socket.alpnProtocol !== 'h2') track(socket);
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  return {
    drain: () => {
      for (const socket of handshakes.values()) socket.destroy();
      // Finishes the responses in progress first.
      for (const session of sessions) session.close();
    },
    destroyAll: () => {
      for (const session of sessions) session.destroy();
      // Closing a session only asks its client to close the connection.
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

/**
 * Ends sockets without traffic since the last check. If a client leaves while an HTTP/2 session writes to it, the write
 * never ends, and Node waits for it before it closes the socket.
 */
function endSilent(sockets: Map<Socket, number>): void {
  for (const [socket, before] of sockets) {
    const passed = socket.bytesRead + socket.bytesWritten;
    if (passed === before) socket.destroy();
    else sockets.set(socket, passed);
  }
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}

export type TlsServer = Http2SecureServer;

interface TlsServerOptions {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
}

/** Pages of ten tabs share one connection; each may have as many requests as an HTTP/1 browser has in ten tabs. */
const MAX_STREAMS = 128;

/** Creates an HTTPS server, with HTTP/2 for the clients that support it and HTTP/1.1 for the others. */
export function createTlsServer(certificate: Certificate, options: TlsServerOptions): TlsServer {
  const secureOptions: SecureServerOptions = {
    ...options,
    ...toSecureContext(certificate),
    allowHTTP1: true,
    handshakeTimeout: options.headersTimeout,
    settings: { maxConcurrentStreams: MAX_STREAMS },
    Http2ServerResponse: StreamResponse,
  };
  const server = createSecureServer(secureOptions);
  limitRequestTime(server, options.requestTimeout);
  return server;
}

/**
 * Limits the time of a request, as Node does for HTTP/1: a client that never finishes a request must not hold it open.
 */
function limitRequestTime(server: Http2SecureServer, requestTimeout: number): void {
  server.on('request', (request: unknown) => {
    if (!(request instanceof Http2ServerRequest) || isWhole(request)) return;
    const { stream } = request;
    const timer = setTimeout(() => {
      if (!isWhole(request)) stream.close();
    }, requestTimeout);
    stream.once('close', () => {
      clearTimeout(timer);
    });
  });
}

/** Headers about the connection, which HTTP/2 does not allow. */
const OF_CONNECTIONS = new Set(['connection', 'transfer-encoding', 'keep-alive']);

/** Behaves like an HTTP/1 response, for which handlers are written. */
class StreamResponse<Request extends Http2ServerRequest> extends Http2ServerResponse<Request> {
  constructor(stream: ServerHttp2Stream) {
    super(stream);
    Object.defineProperty(this, 'destroyed', { get: () => stream.destroyed });
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const headers = rest.at(-1);
    return super.writeHead(status, withoutConnection(headers) as OutgoingHttpHeaders);
  }
}

function withoutConnection(headers: unknown): unknown {
  if (Array.isArray(headers))
    return (headers as readonly OutgoingHttpHeader[]).filter(
      (_, index) => !OF_CONNECTIONS.has(String(headers[index - (index % 2)]).toLowerCase()),
    );
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !OF_CONNECTIONS.has(name.toLowerCase())));
}
