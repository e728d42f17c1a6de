import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { endSoon } from './plain-error.ts';
import { isWhole } from './request-context.ts';
import type { TlsServer } from './tls-server.ts';

interface ConnectionLimits {
  /** How long a client may take until it has agreed on a key. */
  readonly handshakeMs: number;
  /** After how long without traffic a connection is closed at the latest. Node does so earlier, where it notices. */
  readonly idleMs: number;
}

interface Connection {
  readonly inProgress: ServerResponse[];
  /** Closed once all its responses are sent. */
  isEnding: boolean;
}

export interface Connections {
  /** True while the connection has responses in progress: it is closed after the last of them. */
  readonly endAfterResponses: (socket: Duplex) => boolean;
  /** Whether a request is in progress whose body has not arrived whole. */
  readonly awaitsBody: (socket: Duplex) => boolean;
  /** Closes each connection once it has no response in progress. */
  readonly drain: () => void;
  readonly destroyAll: () => void;
}

/**
 * Node counts a connection as idle only between two requests. Browsers open some in advance and keep others open after
 * the last response; waiting for either would make every stop take the whole grace period.
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
 * What a TLS server has besides connections of HTTP/1: those that have not agreed on a key yet, and sessions of HTTP/2. Of
 * some connections that are reset while they agree on a key, Node forgets the socket, which would stay open for ever.
 */
function trackBeneath(
  server: TlsServer,
  track: (socket: Duplex) => void,
  { handshakeMs, idleMs }: ConnectionLimits,
): Pick<Connections, 'drain' | 'destroyAll'> {
  /** By client: of an address and port, only the newest connection can be alive. */
  const handshakes = new Map<string, Socket>();
  const sessions = new Set<ServerHttp2Session>();
  /** With how many bytes had passed when that was last looked at. */
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
      // A session only asks its client to close the connection.
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

/**
 * Ends those that nothing has passed through since the last time. Where a client leaves while a session of HTTP/2 writes to
 * it, the write never ends, and Node waits for it before it closes the socket.
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
