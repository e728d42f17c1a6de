import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { quantile } from './statistics.ts';

export interface LoadOptions {
  readonly address: URL;
  /** The path below the address, with its query. A function makes a new one for each request. */
  readonly path: string | (() => string);
  readonly headers: Readonly<Record<string, string>>;
  /** The expected status of every response; 200 by default. */
  readonly status?: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
}

/**
 * Sends the same request repeatedly on persistent connections, each with one request at a time. It reads no more of a
 * response than its length, so that the client is not what is measured.
 */
export async function load({
  address,
  path,
  headers,
  status = 200,
  connections,
  seconds,
}: LoadOptions): Promise<LoadResult> {
  const write = (target: string): string => writeRequest(address, target, headers);
  const same = typeof path === 'string' ? write(path) : '';
  const nextRequest = typeof path === 'string' ? () => same : () => write(path());
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  const runs = Array.from({ length: connections }, async () => {
    const socket = connect(Number(address.port), address.hostname).setNoDelay();
    await once(socket, 'connect');
    await askUntil({ end, socket, nextRequest, status, latencies });
    socket.destroy();
  });
  await Promise.all(runs);
  const perSecond = (latencies.length * 1000) / (performance.now() - start);
  return { perSecond, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99), requests: latencies.length };
}

function writeRequest(address: URL, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: address.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

interface Asking {
  readonly end: number;
  readonly socket: Socket;
  readonly nextRequest: () => string;
  readonly status: number;
  readonly latencies: number[];
}

function askUntil({ end, socket, nextRequest, status, latencies }: Asking): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = performance.now();
    const take = createResponseCounter(status, () => {
      const now = performance.now();
      latencies.push(now - sent);
      sent = now;
      if (now < end) socket.write(nextRequest());
      else resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('the server closed the connection'));
    });
    socket.on('data', (bytes) => {
      try {
        take(bytes);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.write(nextRequest());
  });
}

/** Finds the ends of responses with a known length. */
function createResponseCounter(status: number, onResponse: () => void): (bytes: Buffer) => void {
  let head = Buffer.alloc(0);
  let missing = 0;
  return (bytes) => {
    let rest = bytes;
    while (rest.length > 0) {
      if (missing === 0) {
        head = Buffer.concat([head, rest]);
        const length = readHead(head, status);
        if (length === null) return;
        rest = head.subarray(length.head);
        missing = length.body;
        head = Buffer.alloc(0);
      }
      const taken = Math.min(missing, rest.length);
      missing -= taken;
      rest = rest.subarray(taken);
      if (missing === 0) onResponse();
    }
  };
}

/** Responses with these statuses have no body, even if their header gives a length. */
const NOT_MODIFIED = 304;

function readHead(bytes: Buffer, status: number): { readonly head: number; readonly body: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const text = bytes.toString('latin1', 0, end);
  const body = status === NOT_MODIFIED ? '0' : /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith(`HTTP/1.1 ${String(status)}`) || body === undefined)
    throw new Error(`unexpected answer: ${text}`);
  return { head: end + 4, body: Number(body) };
}
