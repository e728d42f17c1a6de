import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TlsServer, trackConnections } from './connections.ts';

class FakeSocket extends EventEmitter {
  readonly alpnProtocol = 'h2';
  readonly remoteAddress = '192.0.2.1';
  readonly remotePort: number;
  readonly bytesWritten = 0;
  bytesRead = 0;
  destroyed = false;

  constructor(remotePort: number) {
    super();
    this.remotePort = remotePort;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const HANDSHAKE_MS = 1_000;
const IDLE_MS = 10_000;

function openTls() {
  const server = Object.assign(new EventEmitter(), { setSecureContext: () => undefined });
  const connections = trackConnections(server as unknown as TlsServer, { handshakeMs: HANDSHAKE_MS, idleMs: IDLE_MS });
  const connect = (port: number): FakeSocket => {
    const socket = new FakeSocket(port);
    server.emit('connection', socket);
    return socket;
  };
  const secure = (port: number): FakeSocket => {
    const socket = new FakeSocket(port);
    server.emit('secureConnection', socket);
    return socket;
  };
  return { connections, connect, secure };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a connection that Node forgets before it agrees on a key is ended in time, one that has agreed is not', () => {
  const { connect, secure } = openTls();
  const [forgotten, agreed] = [connect(1), connect(2)];
  secure(2);
  vi.advanceTimersByTime(HANDSHAKE_MS);
  expect([forgotten.destroyed, agreed.destroyed]).toEqual([true, false]);
});

it('a connection that Node forgets is ended at once where its client has another from the same port', () => {
  const { connections, connect, secure } = openTls();
  const forgotten = connect(1);
  const agreed = connect(1);
  secure(1);
  expect([forgotten.destroyed, agreed.destroyed]).toEqual([true, false]);
  const handshake = connect(2);
  connections.drain();
  expect(handshake.destroyed).toBe(true);
});

it('the socket beneath an encrypted connection ends with it', () => {
  const { connect, secure } = openTls();
  const beneath = connect(1);
  secure(1).destroy();
  expect(beneath.destroyed).toBe(true);
});

it('an encrypted connection ends once nothing has passed for as long as it may be idle, whatever Node waits for', () => {
  const { connect, secure } = openTls();
  for (const port of [1, 2]) connect(port);
  const [silent, busy] = [secure(1), secure(2)];
  for (let passed = 1; passed <= 3; passed += 1) {
    busy.bytesRead = passed;
    vi.advanceTimersByTime(IDLE_MS);
  }
  expect([silent.destroyed, busy.destroyed]).toEqual([true, false]);
});
