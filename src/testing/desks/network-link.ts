import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A way through the network that can be slow, hang or be cut. */
export interface NetworkLink {
  readonly port: number;
  /** `hung` keeps connections open, but nothing passes; `cut` ends them, and refuses others. */
  readonly become: (state: LinkState) => void;
  /** Ends all connections; others lead to another server. */
  readonly leadTo: (target: NetConnectOpts) => void;
  readonly close: () => Promise<void>;
}

export type LinkState = 'open' | 'slow' | 'hung' | 'cut';

const SLOW_MS = 150;

export async function openNetworkLink(first: NetConnectOpts): Promise<NetworkLink> {
  let state: LinkState = 'open';
  let target = first;
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const pass = (bytes: Buffer, to: Socket): void => {
    const write = (): void => {
      if (!to.destroyed) to.write(bytes);
    };
    if (state === 'hung') held.push(write);
    else if (state === 'slow') setTimeout(write, SLOW_MS);
    else write();
  };
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        pass(bytes, to);
      });
      from.on('error', () => undefined);
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    held.length = 0;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    become: (next) => {
      state = next;
      if (next === 'cut') cut();
      else if (next !== 'hung') for (const write of held.splice(0)) write();
    },
    leadTo: (next) => {
      target = next;
      cut();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
