import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LimitedVenue {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** A proxy to the exchange with a lower limit on working orders per response. */
export async function limitVenue(venueUrl: string, most: number): Promise<LimitedVenue> {
  const server = createServer((received, response) => {
    void forward(new URL(received.url ?? '/', venueUrl), received).then(({ status, headers, body }) => {
      const isList = received.url?.includes('/orders/working') === true && status === 200;
      if (isList && (JSON.parse(body.toString()) as unknown[]).length > most) rejectTooMany(response);
      else response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${String(port)}${new URL(venueUrl).pathname}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function rejectTooMany(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain' }).end('More than 10000 working orders match: narrow the request by account or product.');
}

interface Forwarded {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The signature covers the path as sent, so it is forwarded unchanged. */
function forward(url: URL, received: IncomingMessage): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...received.headers, host: url.host, 'accept-encoding': 'identity' } }, (answered) => {
      const pieces: Buffer[] = [];
      answered.on('data', (piece: Buffer) => pieces.push(piece));
      answered.on('end', () => {
        resolve({ status: answered.statusCode ?? 502, headers: answered.headers, body: Buffer.concat(pieces) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
