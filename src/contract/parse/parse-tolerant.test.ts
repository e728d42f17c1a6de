import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeAt, replaceAt } from '#testing/corrupt.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../exchange/endpoints.ts';
import { findWithheldReason, wireText } from '../exchange/row-notes.ts';
import { createParser } from './parse.ts';

const working = createParser(ENDPOINTS.ordersWorking.response);
const page = createParser(ENDPOINTS.orders.response);
const stats = createParser(ENDPOINTS.trailingStats.response);

const [order] = sampleResponses.ordersWorking;
const orderWith = (fields: Readonly<Record<string, unknown>>) => ({ ...order, ...fields });
const read = (rows: unknown) => working.tolerant(JSON.stringify(rows));

/** Converts a decimal text, including its exponent, to a whole number of 1e-60. */
function toScaled(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? expect.fail(text);
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(60 - fraction.length + Number(exponent));
}

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  const parser = createParser(ENDPOINTS[name].response);

  test('a valid response is parsed unchanged, without deviations', () => {
    const result = parser.tolerant(JSON.stringify(sampleResponses[name]));
    expect(result).toEqual({ value: sampleResponses[name], setAside: [], deviations: [] });
  });

  test.each(['', '{', 'NaN', '<html><body>502 Bad Gateway</body></html>'])('%j is not JSON', (text) => {
    expect(parser.tolerant(text)).toMatchObject({
      value: null,
      setAside: [],
      deviations: [{ kind: 'not JSON', place: '$', count: 1 }],
    });
  });

  test.each(['null', '1', '"text"', 'true'])('%s instead of a response is a fault', (text) => {
    expect(parser.tolerant(text)).toMatchObject({
      value: null,
      deviations: [{ kind: 'wrong type', place: '$', count: 1 }],
    });
  });
});

test('a list instead of an object, and an object instead of a list, are faults', () => {
  expect(stats.tolerant('[]')).toMatchObject({
    value: null,
    deviations: [{ kind: 'wrong type', path: '$', found: 'an array of 0' }],
  });
  expect(read({ orders: [] })).toMatchObject({
    value: null,
    deviations: [{ kind: 'wrong type', path: '$', found: 'an object' }],
  });
});

describe('drift: the row is used and the deviation reported', () => {
  test('an unknown field', () => {
    const row = orderWith({ stop_price: 5 });
    expect(read([order, row])).toMatchObject({
      value: [order, row],
      setAside: [],
      deviations: [
        { kind: 'unknown field', path: '$[1].stop_price', place: '$[].stop_price', found: 'number 5', count: 1 },
      ],
    });
  });

  test('an unlisted value is kept unchanged', () => {
    const row = orderWith({ time_in_force: 'GTD', product_type: 'Perpetual' });
    expect(read([row])).toMatchObject({
      value: [row],
      setAside: [],
      deviations: [
        { kind: 'unknown value', place: '$[].product_type', found: 'string "Perpetual"' },
        { kind: 'unknown value', place: '$[].time_in_force', expected: 'Day or GTC' },
      ],
    });
  });

  test('an impossible value is withheld, with its reason, and the other values of the row stay', () => {
    const voi = createParser(ENDPOINTS.chartVoi.response);
    const [day] = sampleResponses.chartVoi;
    const { value, setAside, deviations } = voi.tolerant(
      JSON.stringify([day, { ...day, volume: -2_500, openInterest: -1 }]),
    );
    expect(setAside).toEqual([]);
    expect(deviations).toMatchObject([
      { kind: 'impossible value', path: '$[1].volume', expected: 'at least 0', found: 'number -2500' },
      { kind: 'impossible value', place: '$[].openInterest' },
    ]);
    const [plain, changed] = value ?? [];
    expect([plain, changed]).toMatchObject([day, { ...day, volume: null, openInterest: null }]);
    expect(
      ['volume', 'openInterest', 'notionalVolume'].map((field) => findWithheldReason(changed ?? {}, field)),
    ).toEqual([
      'Impossible value: expected at least 0, found -2500.',
      'Impossible value: expected at least 0, found -1.',
      null,
    ]);
    const one = stats.tolerant(JSON.stringify({ ...sampleResponses.trailingStats, volume: -5 }));
    expect(one).toMatchObject({
      value: { ...sampleResponses.trailingStats, volume: null },
      deviations: [{ kind: 'impossible value', path: '$.volume' }],
    });
  });

  test.each<readonly [string, string]>([
    ...['N/A', '', 'NaN', '1e400', '1e9999999', '116,680.00', '-', '+1.0', '1,5', ' 1.0', 'Infinity', '0x10'].map(
      (text) => [JSON.stringify(text), text] as const,
    ),
    ['four hundred digits', `1${'0'.repeat(400)}`],
    ['a hundred thousand fraction digits', `0.${'1'.repeat(100_000)}`],
  ])('a price text that is not a plain decimal is withheld, the rest of its session stays: %s', (_, text) => {
    const chart = createParser(ENDPOINTS.chartPrice.response);
    const [good] = sampleResponses.chartPrice;
    const bad = [replaceAt(good, ['settlementPrice'], text), replaceAt(good, ['ohlc', 'low'], text)];
    const { value, setAside, deviations } = chart.tolerant(JSON.stringify([good, ...bad]));
    expect(setAside).toEqual([]);
    expect(value).toMatchObject([
      good,
      { ...good, settlementPrice: null },
      { ...good, ohlc: { ...good.ohlc, low: null } },
    ]);
    expect(findWithheldReason(value?.[2]?.ohlc ?? {}, 'low')).toMatch(
      /^Impossible value: expected a plain decimal, found string ".*\.$/,
    );
    expect(deviations.map(({ kind, place, count }) => [kind, place, count])).toEqual([
      ['impossible value', '$[].settlementPrice', 1],
      ['impossible value', '$[].ohlc.low', 1],
    ]);
  });

  test('an integer with a fraction or past 2^53 keeps its digits beside the rounded number', () => {
    const text = JSON.stringify([order]).replace('"price":17502', '"price":9007199254740993').replace(':12', ':12.25');
    const { value, setAside, deviations } = working.tolerant(text);
    const row = value?.[0] ?? expect.fail('no row');
    expect([wireText(row, 'price'), wireText(row, 'quantity_requested')]).toEqual(['9007199254740993', '12.25']);
    expect(deviations).toMatchObject([
      { kind: 'long number', place: '$[].price' },
      { kind: 'fraction', place: '$[].quantity_requested' },
    ]);
    expect(setAside).toEqual([]);
  });

  test('an average price with more digits than a float holds is no deviation and keeps all digits', () => {
    const text = JSON.stringify([order, order]).replace('17501.5', '17501.333333333333333333');
    const { value, deviations } = working.tolerant(text);
    expect(value?.map((row) => wireText(row, 'avg_price'))).toEqual(['17501.333333333333333333', '17501.5']);
    expect(deviations).toEqual([]);
  });

  test('the wire text of any decimal has exactly its value', () => {
    const digits = fc.stringMatching(/^[0-9]{1,25}$/);
    fc.assert(
      fc.property(
        fc.constantFrom('', '-'),
        fc.bigInt(0n, 10n ** 20n),
        digits,
        fc.constantFrom('', ' ', '\n    '),
        (sign, whole, fraction, space) => {
          const source = `${sign}${whole}.${fraction}`;
          const text = JSON.stringify([order]).replace('"avg_price":17501.5', `"avg_price"${space}:${space}${source}`);
          const row = working.tolerant(text).value?.[0] ?? expect.fail('no row');
          expect(toScaled(wireText(row, 'avg_price') ?? '')).toBe(toScaled(source));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each(['9007199254740993', '0.30000000000000001', '-123456789012345678', '1.0000000000000000000001e5'])(
    '%s keeps all its digits',
    (source) => {
      const row = working.tolerant(JSON.stringify([order]).replace('17501.5', source)).value?.[0];
      expect(row && wireText(row, 'avg_price')).toBe(source);
    },
  );

  test('a zero with many digits is a zero', () => {
    const row = working.tolerant(JSON.stringify([order]).replace('17501.5', '-0.00000000000000000000')).value?.[0];
    expect(row && wireText(row, 'avg_price')).toBe('0');
  });

  test('an unknown field in a nested object', () => {
    const chart = createParser(ENDPOINTS.chartPrice.response);
    const rows = [replaceAt(sampleResponses.chartPrice[0], ['ohlc', 'vwap'], '1.0')];
    expect(chart.tolerant(JSON.stringify(rows))).toMatchObject({
      value: rows,
      deviations: [{ kind: 'unknown field', place: '$[].ohlc.vwap' }],
    });
  });

  test('a null mean price stays null', () => {
    const row = read([orderWith({ avg_price: null })]).value?.[0] ?? expect.fail('no row');
    expect(wireText(row, 'avg_price')).toBeNull();
  });
});

describe('faults: the row is set aside and the others stay', () => {
  test.each<[string, unknown, string]>([
    ['a missing field', removeAt(order, ['price']), 'missing field $[1].price'],
    ['a retyped field', orderWith({ price: '17502' }), 'wrong type $[1].price'],
    ['a number for an id', orderWith({ id: 7_674_028_327_896_836 }), 'wrong type $[1].id'],
    ['a null where the interface has none', orderWith({ price: null }), 'wrong type $[1].price'],
    ['a list instead of a number', replaceAt(order, ['quantity_filled'], [4]), 'wrong type $[1].quantity_filled'],
    ['null instead of a row', null, 'wrong type $[1]'],
    ['a list instead of a row', [order], 'wrong type $[1]'],
    ['a text instead of a row', 'order', 'wrong type $[1]'],
  ])('%s', (_, bad, deviation) => {
    const { value, setAside, deviations } = read([order, bad, order]);
    expect(value).toEqual([order, order]);
    expect(setAside).toMatchObject([{ index: 1, row: bad }]);
    expect(deviations.map(({ kind, path }) => `${kind} ${path}`)).toEqual([deviation]);
    expect(setAside[0]?.deviations.map(({ kind, path }) => `${kind} ${path}`)).toEqual([deviation]);
  });

  test.each(['2026-11-19T00:00:00Z', '19.11.2026', '2026-02-30', '2026-13-01', ''])(
    'a day that does not exist, %j: nothing can be sorted by it',
    (date) => {
      const chart = createParser(ENDPOINTS.chartVoi.response);
      const [good] = sampleResponses.chartVoi;
      const { value, setAside, deviations } = chart.tolerant(JSON.stringify([good, { ...good, date }]));
      expect([value, setAside.map(({ index }) => index)]).toEqual([[good], [1]]);
      expect(deviations).toMatchObject([{ kind: 'wrong format', place: '$[].date', count: 1 }]);
    },
  );

  test.each(['\ud800', 'BTC\udfffUC', '\udc00\ud800'])(
    'a symbol that is not well-formed Unicode, %j: no address could contain it',
    (symbol) => {
      const { value, setAside, deviations } = read([order, orderWith({ symbol })]);
      expect([value, setAside.map(({ index }) => index)]).toEqual([[order], [1]]);
      expect(deviations).toMatchObject([{ kind: 'wrong format', place: '$[].symbol', count: 1 }]);
      const specs = createParser(ENDPOINTS.productSpecs.response);
      const [spec] = sampleResponses.productSpecs;
      expect(specs.tolerant(JSON.stringify([spec, { ...spec, symbol }]))).toMatchObject({
        value: [spec],
        setAside: [{ index: 1 }],
      });
    },
  );

  test('deviations are counted by kind and place, with the path of the first row', () => {
    const rows = [
      order,
      orderWith({ price: 'x' }),
      orderWith({ price: 'y', fee: 1 }),
      orderWith({ fee: 2 }),
      removeAt(order, ['price']),
    ];
    expect(read(rows).deviations).toMatchObject([
      { kind: 'wrong type', path: '$[1].price', place: '$[].price', count: 2, found: 'string "x"' },
      { kind: 'unknown field', path: '$[2].fee', place: '$[].fee', count: 2 },
      { kind: 'missing field', path: '$[4].price', place: '$[].price', count: 1, found: 'nothing' },
    ]);
  });

  test('a place in a nested list is one place', () => {
    const specs = createParser(ENDPOINTS.productSpecs.response);
    const [spec] = sampleResponses.productSpecs;
    const odd = {
      ...spec,
      legs: [
        { product_id: 1, weight: '1' },
        { product_id: 2, weight: '-1' },
      ],
    };
    expect(specs.tolerant(JSON.stringify([spec, odd, odd])).deviations).toMatchObject([
      { path: '$[1].legs[0].weight', place: '$[].legs[].weight', count: 4 },
    ]);
  });

  test('of any mixture of rows exactly those without a fault remain, in order', () => {
    const rows = fc.array(fc.tuple(fc.nat(), fc.constantFrom('good', 'drift', 'fault')));
    fc.assert(
      fc.property(rows, (kinds) => {
        const built = kinds.map(([price, kind]) => {
          const row = orderWith({ price, ...(kind === 'drift' && { side: 'Both' }) });
          return kind === 'fault' ? removeAt(row, ['symbol']) : row;
        });
        const { value, setAside } = read(built);
        expect(value).toEqual(built.filter((_, index) => kinds[index]?.[1] !== 'fault'));
        expect(setAside.map(({ index }) => index)).toEqual(
          [...kinds.keys()].filter((index) => kinds[index]?.[1] === 'fault'),
        );
      }),
    );
  });

  test('ten thousand rows, every tenth with a fault', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => (index % 10 === 0 ? orderWith({ status: 1 }) : order));
    const { value, setAside, deviations } = read(rows);
    expect([value?.length, setAside.length]).toEqual([9_000, 1_000]);
    expect(deviations).toMatchObject([{ kind: 'wrong type', path: '$[0].status', place: '$[].status', count: 1_000 }]);
  });

  test('a single object with a fault gives null', () => {
    expect(stats.tolerant('{"productId":1,"volume":null}')).toMatchObject({
      value: null,
      deviations: [{ kind: 'missing field', path: '$.notionalVolume', count: 1 }],
    });
  });
});

describe('pages', () => {
  const readPage = (value: unknown) => page.tolerant(JSON.stringify(value));

  test('a page with faulty rows keeps its other rows and its cursor', () => {
    const { value, setAside, deviations } = readPage({ data: [{}, order], pagination: { cursor: 'c' }, took: 3 });
    expect(value).toEqual({ data: [order], pagination: { cursor: 'c' }, took: 3 });
    expect(setAside.map(({ index }) => index)).toEqual([0]);
    expect(deviations[0]).toMatchObject({ kind: 'unknown field', path: '$.took' });
    expect(deviations.slice(1).map(({ place }) => place)).toContain('$.data[].symbol');
  });

  test.each([{}, { cursor: null }, { cursor: '' }])('the last page: %j', (pagination) => {
    expect(readPage({ data: [], pagination })).toEqual({
      value: { data: [], pagination },
      setAside: [],
      deviations: [],
    });
  });

  // A page without a cursor would be taken for the last page, and a truncated list for a complete one.
  test.each<[unknown, string]>([
    [{ data: [order] }, '$.pagination'],
    [{ data: [order], pagination: null }, '$.pagination'],
    [{ data: [order], pagination: { cursor: 5 } }, '$.pagination.cursor'],
    [{ data: { 0: order }, pagination: {} }, '$.data'],
    [{ pagination: {} }, '$.data'],
    [[order], '$'],
  ])('not a page: %j gives null', (value, path) => {
    expect(readPage(value)).toMatchObject({ value: null, deviations: [{ path, count: 1 }] });
  });
});

describe('hostile responses', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a field named %s is drift like any other',
    (name) => {
      const text = JSON.stringify([order]).replace('{', `{"${name}":{"price":1},`);
      const { value, setAside, deviations } = working.tolerant(text);
      expect([value?.length, setAside.length]).toEqual([1, 0]);
      expect(deviations).toMatchObject([{ kind: 'unknown field', path: `$[0].${name}` }]);
      expect(({} as { price?: unknown }).price).toBeUndefined();
    },
  );

  test('fields cannot be inherited', () => {
    const { value, setAside } = working.tolerant(`[{"__proto__":${JSON.stringify(order)}}]`);
    expect([value, setAside.length]).toEqual([[], 1]);
  });

  test('deep nesting next to a number that needs a second pass does not break the parser', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = JSON.stringify([order]).replace('"price":17502', `"price":9007199254740993,"deep":${deep}`);
    expect(() => working.tolerant(text)).not.toThrow();
  });

  test('a long text is abbreviated in a deviation', () => {
    const [deviation] = read([orderWith({ price: 'x'.repeat(100_000) })]).deviations;
    expect(deviation?.found.length).toBeLessThan(60);
  });

  test('any JSON is parsed without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        for (const parser of [working, page, stats]) {
          const { value, deviations } = parser.tolerant(text);
          if (value === null) expect(deviations.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
