import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  toCanonicalString,
} from '#contract/exchange/signing.ts';

/** An exchange without data, whose key the test changes. */
export interface VenueWithKey {
  readonly address: string;
  /** Accepts only signatures with this token from now on. */
  readonly accept: (token: string) => void;
  readonly close: () => Promise<void>;
}

export async function openVenueWithKey(firstToken: string): Promise<VenueWithKey> {
  let token = firstToken;
  const server = createServer((request, response) => {
    const isAccepted = header(request, SIGNATURE_HEADER) === '' || isSignedWith(token, request);
    response
      .writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' })
      .end(isAccepted ? '{"data":[],"pagination":{"cursor":null}}' : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    accept: (next) => {
      token = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function header({ headers }: IncomingMessage, name: string): string {
  return String(headers[name.toLowerCase()] ?? '');
}

function isSignedWith(token: string, request: IncomingMessage): boolean {
  const [path = '', rawQuery = ''] = (request.url ?? '').split('?');
  const message = toCanonicalString({
    method: 'GET',
    path,
    rawQuery,
    timestamp: header(request, AUTH_TIMESTAMP_HEADER),
    connectionId: header(request, CONNECTION_ID_HEADER),
  });
  return createHmac('sha256', token).update(message).digest('base64') === header(request, SIGNATURE_HEADER);
}
