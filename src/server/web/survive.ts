import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TlsServer } from './tls-server.ts';

/**
 * Whatever a client sends, no listener of the server ends the process. What one of them throws, ours or Node's own, is
 * reported, and what it was about is destroyed. So is a socket with an error: where a request leaves HTTP, as with
 * `CONNECT`, Node takes its own listener away, and an error that nobody listens to would be thrown.
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
