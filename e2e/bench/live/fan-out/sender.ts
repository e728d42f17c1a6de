import type { AddressInfo, Server, Socket } from 'node:net';

/** What a server under measurement reports. */
export interface SenderReport {
  /** The bytes on all connections, including those that wait to be written. */
  readonly sentBytes: number;
  /** The time on all cores, for the last change sent. */
  readonly cpuMs: number;
}

/** The three servers differ only in how they send a change. */
export interface Sender {
  /** Sends one change to all clients. `begin` is called when it is ready to be sent. */
  readonly send: (begin: () => void) => Promise<void>;
}

/** Serves until the process ends. The message `send` sends a change; any other message only reports. */
export function runSender(server: Server, { send }: Sender): void {
  const sockets = new Set<Socket>();
  let before = process.cpuUsage();
  const begin = (): void => {
    before = process.cpuUsage();
  };
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay();
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
  });
  process.on('message', (message) => {
    void (message === 'send' ? send(begin) : Promise.resolve()).then(() => process.send?.(report()));
  });
  const report = (): SenderReport => {
    const { user, system } = process.cpuUsage(before);
    return {
      sentBytes: [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
      cpuMs: (user + system) / 1_000,
    };
  };
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, () => {
    console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
  });
}
