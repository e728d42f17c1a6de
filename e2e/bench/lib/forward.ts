import { request as send, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Forwarded {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Passes a request on to another server. The signature covers the path as sent, so it is forwarded unchanged. */
export function forward(
  address: string,
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const target = new URL(url, address);
    const sent = send(
      target,
      { headers: { ...headers, 'host': target.host, 'accept-encoding': 'identity' } },
      (received) => {
        void buffer(received).then((body) => {
          resolve({ status: received.statusCode ?? 502, headers: received.headers, body });
        }, reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
