import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Parameter } from '#contract/exchange/endpoints.ts';
import { toMountPrefix, VENUES } from '#contract/exchange/addresses.ts';
import { BASE, credential, openVenueApi, seesAll, sign, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { howMany } from '#testing/how-many.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { makeFunding, makeOrder, makeSession, perpetual, START } from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  await small.store.commit({ sessions: [makeSession(perpetual, 1)], funding: [makeFunding(perpetual, 0)] });
  await small.accept([1, 2, 3].map((n) => makeOrder(n)));
  api = await openVenueApi(small.exchange);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

/** Sends bytes and ends its side. The connection must end for any bytes. */
function converse(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1');
    let reply = '';
    socket.setEncoding('latin1').on('data', (text: string) => (reply += text));
    socket.setTimeout(5_000, () => {
      socket.destroy(new Error(`no end after ${JSON.stringify(bytes)}`));
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      resolve(reply);
    });
    socket.end(bytes, 'latin1');
  });
}

const profile = VENUES['sandbox'];
const templates = ENDPOINT_NAMES.map(
  (name) => (profile ? toMountPrefix(profile, ENDPOINTS[name].mount) : '') + ENDPOINTS[name].path,
);
const parameters = ENDPOINT_NAMES.flatMap((name) => Object.entries<Parameter>(ENDPOINTS[name].query));
const names = [...new Set(parameters.map(([name]) => name))];
const examples = parameters.map(([, { grammar }]) => grammar.example);

const edges = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '0001-01-01',
  '9999-12-31',
  '1969-12-31T23:59:59Z',
  '999999999',
  '5614',
  'HALC-101',
];
const junk = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')));
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...examples, ...edges) },
  junk,
  fc.constantFrom('%', '%zz', '%ff', '+', '&', '=', '..', '%2e%2e', '%2f', '%00'),
);
const pair = fc
  .tuple(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, junk), value)
  .map(([name, text]) => `${name}=${text}`);
const path = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...templates), value).map(([template, text]) => template.replace(/:\w+/, text)),
  },
  fc.array(value, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
);
const target = fc
  .tuple(path, fc.uniqueArray(pair, { maxLength: 4, selector: (text) => text.split('=')[0] }))
  .map(([where, query]) => (query.length === 0 ? where : `${where}?${query.join('&')}`));

/**
 * Generates requests that are valid except for at most one value. Each has few parameters, because many filters
 * together match nothing.
 */
const plausible = fc.constantFrom(...ENDPOINT_NAMES.keys()).chain((index) => {
  const endpoint = ENDPOINTS[ENDPOINT_NAMES[index] ?? 'orders'];
  const good = ({ grammar }: Parameter) =>
    fc.constantFrom(grammar.example, ...edges.filter(grammar.accepts)).map(encodeURIComponent);
  const [inPath] = Object.values<Parameter>(endpoint.pathParameters);
  const part = inPath ? fc.oneof({ weight: 5, arbitrary: good(inPath) }, value) : fc.constant('');
  const usable = Object.entries<Parameter>(endpoint.query).filter(([name]) => name !== 'cursor');
  const query = fc
    .subarray(usable, { maxLength: Math.min(2, usable.length) })
    .chain((chosen) =>
      fc.tuple(...chosen.map(([name, parameter]) => good(parameter).map((text) => `${name}=${text}`))),
    );
  return fc
    .tuple(part, query)
    .map(([text, pairs]) => `${(templates[index] ?? '').replace(/:\w+/, text)}?${pairs.join('&')}`);
});

const headerName = fc.constantFrom(
  'BTNL-CONNECTION-ID',
  'BTNL-AUTH-TIMESTAMP',
  'BTNL-SIGNATURE',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Connection',
  'Upgrade',
  'Host',
  'X',
);
const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '3f',
    '2026-08-17T17:00:00.000Z',
    'chunked',
    'gzip',
    '100-continue',
    'close',
    'keep-alive',
    'upgrade',
    'websocket',
    `${'A'.repeat(43)}=`,
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 30 }),
);
const header = fc.tuple(headerName, headerValue).map(([name, text]) => `${name}: ${text}\r\n`);
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'CONNECT', 'PRI', 'get', ''),
);

function headersOf(where: string, verb: string, as: typeof credential): string {
  const headers = Object.entries(sign(where, as, verb, START));
  return headers.map(([name, text]) => `${name}: ${text}\r\n`).join('');
}

const toSigned = (where: string, verb: string, as: typeof credential) =>
  `${verb} ${BASE}${where} HTTP/1.1\r\nhost: x\r\n${headersOf(where, verb, as)}\r\n`;
const signedRequest = fc
  .tuple(fc.oneof(plausible, target), fc.constantFrom('GET', 'HEAD'), fc.constantFrom(credential, seesAll))
  .map(([where, verb, as]) => toSigned(where, verb, as));
const oddRequest = fc
  .tuple(method, target, fc.array(header, { maxLength: 5 }), fc.constantFrom('', 'hi', '2\r\nhi\r\n0\r\n\r\n'))
  .map(
    ([verb, where, headers, body]) => `${verb} ${BASE}${where} HTTP/1.1\r\nhost: x\r\n${headers.join('')}\r\n${body}`,
  );
const bytes = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 200 }),
  fc.tuple(oddRequest, fc.nat(400)).map(([text, length]) => text.slice(0, length)),
  fc.array(oddRequest, { minLength: 2, maxLength: 3 }).map((several) => several.join('')),
);

/** The number of concurrent requests, each on its own connection. */
const TOGETHER = 8;
const KNOWN = new Set(['200', '400', '401', '404', '405', '414', '417', '431']);

describe.each([
  ['signed requests for anything', signedRequest, true],
  ['requests with odd methods, headers and bodies', oddRequest, true],
  ['bytes', bytes, false],
] as const)('%s', (_, requests, areWhole) => {
  test('get a response, never a 5xx, and the connection ends', async () => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(
      fc.array(requests, { minLength: TOGETHER, maxLength: TOGETHER }),
      async (together) => {
        for (const reply of await Promise.all(together.map(converse))) {
          const statuses = [...reply.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status]) => status ?? '');
          if (areWhole) expect(statuses.length).toBeGreaterThan(0);
          for (const status of statuses) {
            expect(KNOWN).toContain(status);
            seen.set(status, (seen.get(status) ?? 0) + 1);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: howMany(400, 2_000) / TOGETHER });
    expect(api.faults).toEqual([]);
    // Requests must get past the first check.
    if (areWhole) expect([...seen.keys()]).toEqual(expect.arrayContaining(['200', '400', '404']) as unknown);
    expect((await api.getSigned('/v1/prod/orders')).status).toBe(200);
  });
});
