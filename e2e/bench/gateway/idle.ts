import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { toDigits, type Goal } from '../lib/report.ts';
import { startServer } from './servers.ts';

const CONNECTIONS = 1_000;
/** Long enough to settle, and less than the idle timeout. */
const REST_MS = 2_000;

export interface Idle {
  readonly memoryMb: number;
}

/** Measures connections that sent one request and are now idle. */
export async function measureIdle(upstream: URL): Promise<Idle> {
  await using server = await startServer(upstream);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => sendOnce(server.address)));
  await setTimeout(REST_MS);
  const open = sockets.filter((socket) => !socket.readableEnded && !socket.destroyed).length;
  if (open < CONNECTIONS) throw new Error(`only ${String(open)} connections are still open`);
  const memoryMb = server.memory().nowMb;
  for (const socket of sockets) socket.destroy();
  return { memoryMb };
}

async function sendOnce(address: URL): Promise<Socket> {
  const socket = connect(Number(address.port), address.hostname);
  await once(socket, 'connect');
  socket.write(`GET /api/orders HTTP/1.1\r\nhost: ${address.host}\r\n\r\n`);
  await once(socket, 'data');
  return socket.resume();
}

export function printIdle({ memoryMb }: Idle): void {
  console.log(`\n${String(CONNECTIONS)} idle connections: ${toDigits(memoryMb)} MB`);
}

export function idleGoals({ memoryMb }: Idle): Goal[] {
  return [{ what: '1,000 idle connections', measured: memoryMb, relation: 'at most', limit: 200, unit: 'MB' }];
}
