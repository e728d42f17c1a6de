import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, as received. */
export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface RecordingVenue {
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Sets the body of later responses. */
  readonly respondWith: (body: Buffer) => void;
  /** Clears the recorded requests. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

const BASE_PATH = '/exchange/api';

/** A body that must be passed on byte for byte: parsing and serialising it would change it. */
export const RECORDED_BODY = Buffer.from(
  '[ {"productId":1547 ,"price":66300.50,"name":"\\u00e9 é","id":7670000000000000001} ]\n',
);

/** Response headers of an exchange that must not reach a browser. */
const UNWANTED_HEADERS = {
  'server': 'cowboy',
  'set-cookie': ['session=abc; Path=/', 'other=def'],
  'access-control-allow-origin': '*',
  'access-control-allow-credentials': 'true',
  'x-powered-by': 'Haskell',
  'x-request-id': 'of-the-venue',
  'x-ratelimit-remaining': '17',
  'strict-transport-security': 'max-age=1',
  'content-security-policy': "default-src * 'unsafe-inline'",
  'cache-control': 'public, max-age=31536000',
  'etag': '"of-the-venue"',
  'last-modified': 'Mon, 17 Aug 2026 00:00:00 GMT',
  'expires': 'Mon, 17 Aug 2099 00:00:00 GMT',
  'location': 'https://evil.example/',
  'link': '<https://evil.example/>; rel=preload',
  'refresh': '0; url=https://evil.example/',
  'via': '1.1 somewhere',
  'alt-svc': 'h3=":443"',
  'vary': 'cookie',
  'content-disposition': 'attachment; filename=x.html',
  'content-language': 'en',
  'clear-site-data': '"*"',
  'service-worker-allowed': '/',
  'www-authenticate': 'Basic realm=venue',
  'desk-request-id': 'of-the-venue',
  'server-timing': 'venue;dur=1',
};

/** Opens an exchange that responds to every request with a 200 and records it. */
export async function openRecordingVenue(): Promise<RecordingVenue> {
  const requests: RecordedRequest[] = [];
  let body: Buffer = RECORDED_BODY;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { method = '', url: target = '', rawHeaders } = request;
      requests.push({ method, target, headers: toPairs(rawHeaders), body: Buffer.concat(chunks).toString('latin1') });
      response.writeHead(200, {
        ...UNWANTED_HEADERS,
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.byteLength,
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${BASE_PATH}`,
    requests,
    respondWith: (next) => {
      body = next;
    },
    forget: () => void requests.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function toPairs(rawHeaders: readonly string[]): RecordedRequest['headers'] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}
