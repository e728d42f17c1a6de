import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a server that a test cuts: nothing listens at its address until it is restored. */
export interface Line {
  readonly address: string;
  readonly cut: () => Promise<void>;
  readonly mend: () => Promise<void>;
}

export async function openLine(target: string): Promise<Line> {
  const { hostname, port, pathname } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .once('close', () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    address: `http://127.0.0.1:${String(own)}${pathname}`,
    cut: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
    mend: () => listen(own),
  };
}
