import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaders } from './security-headers.ts';

type Headers = Readonly<Record<string, string>>;

function refusalHeaders(body: string, extra: Headers): Headers {
  return {
    ...securityHeaders,
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...extra,
  };
}

/** Answers a request with an error status and one sentence. */
export function refuse(response: ServerResponse, status: number, sentence: string, extra: Headers = {}): void {
  const body = `${sentence}\n`;
  response.writeHead(status, refusalHeaders(body, extra)).end(body);
}

/** Ended at once, a connection with unread bytes on it is reset, and the refusal lost on its way. */
const lingerMs = 1_000;

/** The same where there is no response to write to, because what came was not a request; ends the connection. */
export function refuseConnection(socket: Duplex, status: number, sentence: string, extra: Headers = {}): void {
  const body = `${sentence}\n`;
  const headers = Object.entries(refusalHeaders(body, { ...extra, connection: 'close' }));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(lingering);
  });
  // Nobody else listens to the socket any more, and an error that nobody hears would end the process.
  socket.on('error', () => socket.destroy()).resume();
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
