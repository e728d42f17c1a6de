import fc from 'fast-check';
import { anyTarget, nearlyGoodTarget } from './targets.ts';

const FIELDS = [
  ...[
    'content-length: 0',
    'content-length: 5',
    'content-length: 5, 5',
    'content-length: -1',
    'content-length: 5\r\ncontent-length: 6',
    'Content-Length:5',
    'content-length : 5',
  ],
  ...[
    'transfer-encoding: chunked',
    'transfer-encoding: identity',
    'transfer-encoding: gzip, chunked',
    'transfer-encoding: chunked, gzip',
    'Transfer-Encoding:\tchunked',
    'transfer-encoding: xchunked',
  ],
  ...['connection: keep-alive', 'connection: close', 'connection: transfer-encoding', 'keep-alive: timeout=99999'],
  ...[
    'expect: 100-continue',
    'expect: nothing',
    'te: trailers',
    'trailer: host',
    'host: evil.example',
    'host: localhost',
    'origin: null',
    'sec-fetch-site: cross-site',
  ],
  ...[
    'accept-encoding: br;q=9',
    'accept-encoding: *;q=0',
    `accept-encoding: ${'a,'.repeat(500)}`,
    'if-none-match: *',
    'if-none-match: W/',
    `if-none-match: ${'"a",'.repeat(500)}`,
    'range: bytes=0-0',
  ],
  ...[
    'desk-purpose: interactive',
    'BTNL-SIGNATURE: x',
    'x-forwarded-proto: https\r\nx-forwarded-host: desk.example',
    'x: \xff',
    'x:\0',
    ' folded',
    ': empty',
    'x',
  ],
];

const BODIES = [
  '',
  '',
  '',
  'hello',
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  '5;a=b\r\nhello\r\n0\r\nhost: evil.example\r\n\r\n',
  'GET /api/orders/working HTTP/1.1\r\nhost: localhost\r\n\r\n',
];

const POISON = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  ' ',
  '\t',
  '\0',
  '\x0b',
  '\x7f',
  '\xff',
  ':',
  '/',
  '?',
  '#',
  ',',
  ';',
  '\r\nhost: localhost\r\n',
  '\r\n\r\nGET /api/orders HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'HTTP/1.1',
  '\x16\x03\x01',
];

const wellFormed = fc
  .record({
    method: fc.constantFrom(
      'GET',
      'GET',
      'GET',
      'GET',
      'GET',
      'GET',
      'GET',
      'GET',
      'HEAD',
      'HEAD',
      'POST',
      'OPTIONS',
      'TRACE',
      'CONNECT',
      'get',
      'PRI',
    ),
    target: fc.oneof({ weight: 4, arbitrary: nearlyGoodTarget }, { weight: 1, arbitrary: anyTarget }),
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.1', '1.1', '1.1', '1.0', '1.0', '0.9', '2.0'),
    fields: fc.array(fc.constantFrom(...FIELDS), { maxLength: 2 }),
    body: fc.constantFrom(...BODIES),
  })
  .map(
    ({ method, target, version, fields, body }) =>
      `${method} ${target} HTTP/${version}\r\n${['host: localhost', ...fields].join('\r\n')}\r\n\r\n${body}`,
  );

const someEdits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.integer({ min: 0, max: 4 }),
    poison: fc.constantFrom(...POISON, ''),
  }),
  { minLength: 1, maxLength: 2 },
);
const edits = fc.oneof(fc.constant([]), someEdits);

/** Generates bytes (latin1) that are requests, or almost. */
export const anyRequest: fc.Arbitrary<string> = fc.tuple(wellFormed, edits).map(([request, all]) =>
  all.reduce((text, { at, cut, poison }) => {
    const place = Math.floor(at * text.length);
    return text.slice(0, place) + poison + text.slice(place + cut);
  }, request),
);
