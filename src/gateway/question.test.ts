import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { findVenue } from '#contract/venues.ts';
import { isProblem, readQuestion } from './question.ts';

const profile = findVenue('bitnomial-sandbox') ?? expect.fail('no such venue');

function sent(path: string, rawQuery = ''): string {
  const question = readQuestion(path, rawQuery, profile);
  return isProblem(question)
    ? `${question.type} ${question.parameter ?? ''}`.trim()
    : `${question.path}?${question.rawQuery}`;
}

test.each([
  ['/web/charts/price/5599', '', '/web/charts/price/5599?'],
  ['/funding-rates/', 'limit=5&base_symbol=BTCUC', '/v1/funding-rates/?base_symbol=BTCUC&limit=5'],
  ['/orders', 'begin_time=2026-08-17T00%3A00%3A00Z', '/v1/sandbox/orders?begin_time=2026-08-17T00:00:00Z'],
  ['/web/charts/voi', 'product_id=2&product_id=1', '/web/charts/voi?product_id=2&product_id=1'],
])('%s?%s is sent as %s', (path, rawQuery, expected) => {
  expect(sent(path, rawQuery)).toBe(expected);
});

describe('percent signs', () => {
  test.each([
    ['cursor=YQ%3D%3D', 'cursor=YQ%3D%3D'],
    ['cursor=YQ%253D%253D', 'cursor=YQ%3D%3D'],
    ['cursor=YQ==', 'cursor=YQ%3D%3D'],
  ])('a cursor reaches the venue encoded once: %s', (rawQuery, expected) => {
    expect(sent('/orders', rawQuery)).toBe(`/v1/sandbox/orders?${expected}`);
  });

  test('in any other value a percent sign is a percent sign', () => {
    expect(sent('/orders', 'account_id=A%2541')).toBe('/v1/sandbox/orders?account_id=A%2541');
  });
});

test.each([
  ['/nothing', '', 'not-in-the-interface'],
  ['/v1/sandbox/orders', '', 'not-in-the-interface'],
  ['/web/charts/price/abc', '', 'bad-parameter id'],
  ['/orders', 'side=Bid', 'bad-parameter side'],
  ['/orders', 'limit=0', 'bad-parameter limit'],
  ['/orders', 'limit=1&limit=2', 'bad-parameter limit'],
  ['/orders', 'limit', 'bad-parameter limit'],
  ['/orders', 'constructor=1', 'bad-parameter constructor'],
  ['/orders', 'limit=%zz', 'bad-parameter'],
  ['/orders/working', 'cursor=YQ', 'bad-parameter cursor'],
  ['/web/market/stats/trailing/all-products', 'x=1', 'bad-parameter x'],
])('%s?%s is never sent: %s', (path, rawQuery, expected) => {
  expect(sent(path, rawQuery)).toBe(expected);
});

test('equal questions are sent with equal bytes, whatever the order and the encoding they came in', () => {
  const names = ENDPOINT_NAMES.filter((name) => Object.keys(ENDPOINTS[name].query).length > 1);
  const encodings = fc.constantFrom(encodeURIComponent, (text: string) => text.replace(/./g, toPercent));
  const asked = fc.constantFrom(...names).chain((name) => {
    const { path, pathParameters, query }: Endpoint = ENDPOINTS[name];
    const concrete = path.replace(/:(\w+)/g, (_, key: string) => pathParameters[key]?.grammar.example ?? '');
    const entries = Object.entries(query).map(([key, { grammar }]) => [key, grammar.example] as const);
    return fc.tuple(
      fc.constant(concrete),
      fc.constant(entries),
      fc.shuffledSubarray([...entries], { minLength: entries.length }),
      encodings,
    );
  });
  fc.assert(
    fc.property(asked, ([path, entries, shuffled, encode]) => {
      const write = (pairs: typeof entries, form: (text: string) => string) =>
        pairs.map(([key, value]) => `${key}=${form(value)}`).join('&');
      expect(sent(path, write(shuffled, encode))).toBe(sent(path, write(entries, encodeURIComponent)));
      expect(sent(path, write(shuffled, encode))).toContain('?');
    }),
  );
});

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
