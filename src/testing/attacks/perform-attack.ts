import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Attack } from './attacks.ts';

interface Target {
  readonly port: number;
  /**
   * The loopback address of this machine to attack from. Each counts as a network of its own. Only Linux has more than
   * one.
   */
  readonly from: string;
  /** How long the attacker waits for the server to end the connection. */
  readonly patienceMs: number;
}

const DRIP_MS = 100;

/** Resolves once the connection is over, which takes little longer than the attacker’s patience. */
export async function performAttack(
  { within, pieces, ending }: Attack,
  { port, from, patienceMs }: Target,
): Promise<void> {
  const raw = connect({ port, host: '127.0.0.1', ...(process.platform === 'linux' && { localAddress: from }) });
  const socket =
    within === 'tcp' ? raw : connectTls({ socket: raw, ALPNProtocols: [within], rejectUnauthorized: false });
  for (const each of new Set([raw, socket])) each.on('error', () => undefined).resume();
  const closed = new Promise<void>((resolve) => {
    raw.once('close', () => {
      resolve();
    });
  });
  const impatience = setTimeout(() => raw.destroy(), patienceMs);
  const dripping = ending === 'hold' ? setInterval(() => socket.write('.'), DRIP_MS) : undefined;
  for (const piece of pieces) {
    socket.write(piece);
    await pause(0);
  }
  if (ending === 'half-close') socket.end();
  if (ending === 'close' || ending === 'reset') {
    // The pause lets some of it arrive.
    await Promise.race([pause(DRIP_MS), closed]);
    if (ending === 'close') socket.destroy();
    else raw.resetAndDestroy();
  }
  await closed;
  clearTimeout(impatience);
  clearInterval(dripping);
}
