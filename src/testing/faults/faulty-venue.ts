import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { responds, type Behaviour, type ReceivedRequest } from './behaviours.ts';

const BASE_PATH = '/exchange/api';

/** An exchange of bytes and sockets, which responds to each request as the test determines. */
export interface FaultyVenue {
  readonly baseUrl: string;
  /** Sets the behaviours for the next requests, in this order. Later requests get the usual response. */
  readonly does: (...behaviours: readonly Behaviour[]) => void;
  /** Sets the usual behaviour. */
  readonly alwaysDoes: (behaviour: Behaviour) => void;
  readonly requests: readonly ReceivedRequest[];
  readonly openConnections: () => number;
  /** The bytes written to its sockets, open and closed ones. */
  readonly bytesWritten: () => number;
  /** Ends all connections and stops listening. */
  readonly close: () => Promise<void>;
}

export interface FaultyVenueOptions {
  readonly now: () => number;
  /** The certificate with which it uses TLS. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  readonly port?: number;
}

export async function openFaultyVenue({ now, certificate, port = 0 }: FaultyVenueOptions): Promise<FaultyVenue> {
  const requests: ReceivedRequest[] = [];
  const script: Behaviour[] = [];
  const open = new Set<Socket>();
  let written = 0;
  let usual = responds();
  const serve = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      written += socket.bytesWritten;
    });
    onHeads(socket, (head) => {
      const request = toRequest(head, now);
      requests.push(request);
      (script.shift() ?? usual)(socket, request);
    });
  };
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve);
  server.on('tlsClientError', () => undefined);
  await listen(server, port);
  return {
    baseUrl: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${String((server.address() as AddressInfo).port)}${BASE_PATH}`,
    does: (...behaviours) => void script.push(...behaviours),
    alwaysDoes: (behaviour) => {
      usual = behaviour;
    },
    requests,
    openConnections: () => open.size,
    bytesWritten: () => [...open].reduce((sum, socket) => sum + socket.bytesWritten, written),
    close: () => close(server, open),
  };
}

/** Parses a request. Requests have no bodies, so each is a head. */
function onHeads(socket: Socket, take: (head: string) => void): void {
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    const heads = (received + text).split('\r\n\r\n');
    received = heads.pop() ?? '';
    heads.forEach(take);
  });
}

function toRequest(head: string, now: () => number): ReceivedRequest {
  const [line = '', ...headers] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  return { method, target, headers, at: now() };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function close(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    for (const socket of open) socket.destroy();
  });
}
