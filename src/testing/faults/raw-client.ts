import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A client that sends a request, reads nothing, and stays connected until it is destroyed. */
export function openRawClient(address: string, path: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  return socket;
}
