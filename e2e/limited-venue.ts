import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LimitedVenue {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** An exchange as it is, but for its limit: it refuses to answer with more than so many working orders. */
export async function limitVenue(venueUrl: string, most: number): Promise<LimitedVenue> {
  const server = createServer((asked, answer) => {
    void pass(new URL(asked.url ?? '/', venueUrl), asked).then(({ status, headers, body }) => {
      const isList = asked.url?.includes('/orders/working') === true && status === 200;
      if (isList && (JSON.parse(body.toString()) as unknown[]).length > most) refuse(answer);
      else answer.writeHead(status, headers).end(body);
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

function refuse(answer: ServerResponse): void {
  answer.writeHead(400, { 'content-type': 'text/plain' }).end('More than 10000 working orders match: narrow the question by account or product.');
}

interface Passed {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** What is signed is the path as it was sent, so it goes on unchanged. */
function pass(url: URL, asked: IncomingMessage): Promise<Passed> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...asked.headers, host: url.host, 'accept-encoding': 'identity' } }, (came) => {
      const pieces: Buffer[] = [];
      came.on('data', (piece: Buffer) => pieces.push(piece));
      came.on('end', () => {
        resolve({ status: came.statusCode ?? 502, headers: came.headers, body: Buffer.concat(pieces) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
