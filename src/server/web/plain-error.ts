import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaders } from './security-headers.ts';

type Headers = Readonly<Record<string, string>>;

function errorHeaders(body: string, extra: Headers): Headers {
  return {
    ...securityHeaders,
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...extra,
  };
}

/** Responds with an error status and one sentence. */
export function sendPlainError(response: ServerResponse, status: number, sentence: string, extra: Headers = {}): void {
  const body = `${sentence}\n`;
  response.writeHead(status, errorHeaders(body, extra)).end(body);
}

/** Closing a connection with unread bytes resets it at once, and the client may never see the response. */
const lingerMs = 1_000;

/** Ends a connection, also if its client never does. */
export function endSoon(socket: Duplex): void {
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(lingering);
  });
  socket.end();
}

/** Responds with an error to a socket that sent something other than a request; closes the connection. */
export function rejectConnection(socket: Duplex, status: number, sentence: string, extra: Headers = {}): void {
  const body = `${sentence}\n`;
  const headers = Object.entries(errorHeaders(body, { ...extra, connection: 'close' }));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  // An unhandled socket error would end the process.
  socket.on('error', () => socket.destroy()).resume();
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  endSoon(socket);
}
