import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  AUTH_TIMESTAMP_HEADER,
  AUTH_TIMESTAMP_PATTERN,
  CONNECTION_ID_HEADER,
  toCanonicalString,
  type RequestToSign,
} from './signing.ts';

interface Vector {
  readonly title: string;
  readonly request: RequestToSign;
  readonly token: string;
  readonly message: string;
  readonly signature: string;
}

const file = readFileSync(new URL('signing.vectors.json', import.meta.url), 'utf8');
const { vectors } = JSON.parse(file) as { readonly vectors: readonly Vector[] };

const sign = (token: string, message: string): string => createHmac('sha256', token).update(message).digest('base64');

const request: RequestToSign = {
  method: 'GET',
  path: '/exchange/api/v1/prod/orders',
  rawQuery: 'limit=1',
  timestamp: '2026-08-17T23:45:21.496Z',
  connectionId: '3f',
};

describe.each(vectors)('$title', ({ request: vector, token, message, signature }) => {
  test('gives the text written by hand', () => {
    expect(toCanonicalString(vector)).toBe(message);
  });

  test('gives the signature that OpenSSL computed with the token’s characters as the key', () => {
    expect(sign(token, toCanonicalString(vector))).toBe(signature);
    expect(createHmac('sha256', Buffer.from(token, 'hex')).update(message).digest('base64')).not.toBe(signature);
  });
});

test('all vectors have different signatures', () => {
  expect(new Set(vectors.map(({ signature }) => signature)).size).toBe(vectors.length);
  expect(vectors.length).toBeGreaterThanOrEqual(6);
});

test('every part of a request changes the text', () => {
  const others: readonly Partial<RequestToSign>[] = [
    { method: 'HEAD' },
    { path: '/exchange/api/v1/sandbox/orders' },
    { rawQuery: '' },
    { rawQuery: 'limit=2' },
    { timestamp: '2026-08-17T23:45:21.497Z' },
    { connectionId: '3F' },
  ];
  const texts = [request, ...others.map((other) => ({ ...request, ...other }))].map(toCanonicalString);
  expect(new Set(texts).size).toBe(texts.length);
});

test('signed headers are sorted by name and upper-cased', () => {
  const names = [AUTH_TIMESTAMP_HEADER, CONNECTION_ID_HEADER];
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(names.map((name) => name.toUpperCase()));
});

test.each([
  '',
  'orders',
  '/orders?limit=1',
  '/orders#x',
  '/or ders',
  '/orders\n',
  '/orders\r\nHost: x',
  '/ördér',
  '/orders\u{7f}',
])('the path %j is rejected, since other bytes would be sent', (path) => {
  expect(() => toCanonicalString({ ...request, path })).toThrow(RangeError);
});

test.each(['a=b c', 'a=b#c', 'a=b\n', 'a=é', 'a=\0'])(
  'the query %j is refused, since other bytes would be sent',
  (rawQuery) => {
    expect(() => toCanonicalString({ ...request, rawQuery })).toThrow(RangeError);
  },
);

test('a query may contain characters that a path may not', () => {
  expect(toCanonicalString({ ...request, rawQuery: 'a=?&b=/&c=%20' })).toContain('?a=?&b=/&c=%20BTNL');
});

test.each([
  '2026-08-17T23:45:21Z',
  '2026-08-17T23:45:21.49Z',
  '2026-08-17T23:45:21.4963Z',
  '2026-08-17T23:45:21.496+00:00',
  'now',
  '',
])('the timestamp %j has not exactly three fractional digits', (timestamp) => {
  expect(timestamp).not.toMatch(AUTH_TIMESTAMP_PATTERN);
});

test('the ISO string of a JavaScript date is a valid timestamp', () => {
  expect(new Date(0).toISOString()).toMatch(AUTH_TIMESTAMP_PATTERN);
});
