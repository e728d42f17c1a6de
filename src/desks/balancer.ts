import { once } from 'node:events';
import { createServer, type AddressInfo, connect, type Socket } from 'node:net';

/** A desk behind the balancer. */
interface Upstream {
  readonly port: number;
  /** Connections that it serves now. */
  readonly open: Set<Socket>;
  state: keyof typeof RANKS;
}

/** Which desk is tried first. One that does not respond may only be slow; one that says it is not ready is about to close. */
const RANKS = { ready: 0, slow: 1, closed: 2 } as const;

export interface Balancer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
const CHECK_EVERY_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Forwards each TCP connection to the ready desk with the fewest, for trying several desks out on one machine. It knows
 * neither TLS nor the address of the client: for a team, put a real balancer in front.
 */
export async function openBalancer(port: number, desks: readonly number[]): Promise<Balancer> {
  const upstreams = desks.map((desk): Upstream => ({ port: desk, open: new Set(), state: 'ready' }));
  const server = createServer((client) => {
    forward(client, upstreams);
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  const timer = setInterval(() => {
    for (const upstream of upstreams) void check(upstream);
  }, CHECK_EVERY_MS);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      for (const { open } of upstreams) for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** A desk that stops says that it is not ready, and keeps the connections that it has until their browsers have moved. */
async function check(upstream: Upstream): Promise<void> {
  const url = `http://${HOST}:${String(upstream.port)}/readyz`;
  const isReady = await fetch(url, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    (error: unknown) => (error instanceof DOMException && error.name === 'TimeoutError' ? null : false),
  );
  if (isReady !== null) upstream.state = isReady ? 'ready' : 'closed';
  else if (upstream.state === 'ready') upstream.state = 'slow';
}

/** Tries each desk once, the ready ones first, since none may be ready while the exchange does not respond. */
function forward(client: Socket, upstreams: readonly Upstream[]): void {
  const [chosen, ...others] = upstreams.toSorted(
    (a, b) => RANKS[a.state] - RANKS[b.state] || a.open.size - b.open.size,
  );
  if (chosen === undefined) {
    client.destroy();
    return;
  }
  const socket = connect(chosen.port, HOST);
  chosen.open.add(socket);
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
    client.pipe(socket).pipe(client);
  });
  socket.on('error', () => {
    if (isConnected || client.destroyed) client.destroy();
    else forward(client, others);
  });
  socket.once('close', () => {
    chosen.open.delete(socket);
    if (isConnected) client.destroy();
  });
  client.removeAllListeners('error').on('error', () => socket.destroy());
  client.removeAllListeners('close').once('close', () => socket.destroy());
}
