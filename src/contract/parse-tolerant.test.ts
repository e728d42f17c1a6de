import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeAt, replaceAt } from '#testing/spoil.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from './endpoints.ts';
import { wireText } from './json-text.ts';
import { createParser } from './parse.ts';

const working = createParser(ENDPOINTS.ordersWorking.response);
const page = createParser(ENDPOINTS.orders.response);
const stats = createParser(ENDPOINTS.trailingStats.response);

const [order] = wireAnswers.ordersWorking;
const orderWith = (fields: Readonly<Record<string, unknown>>) => ({ ...order, ...fields });
const read = (rows: unknown) => working.tolerant(JSON.stringify(rows));

/** A decimal text, exponent included, as a whole number of 1e-60. */
function toScaled(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? expect.fail(text);
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(60 - fraction.length + Number(exponent));
}

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  const parser = createParser(ENDPOINTS[name].response);

  test('a good answer is read unchanged, with nothing to report', () => {
    const reading = parser.tolerant(JSON.stringify(wireAnswers[name]));
    expect(reading).toEqual({ value: wireAnswers[name], setAside: [], deviations: [] });
  });

  test.each(['', '{', 'NaN', '<html><body>502 Bad Gateway</body></html>'])('%j is not JSON', (text) => {
    expect(parser.tolerant(text)).toMatchObject({
      value: null,
      setAside: [],
      deviations: [{ kind: 'not json', place: '$', count: 1 }],
    });
  });

  test.each(['null', '1', '"text"', 'true'])('%s in place of an answer gives none', (text) => {
    expect(parser.tolerant(text)).toMatchObject({
      value: null,
      deviations: [{ kind: 'wrong type', place: '$', count: 1 }],
    });
  });
});

test('a list in place of an object, and an object in place of a list, give none', () => {
  expect(stats.tolerant('[]')).toMatchObject({
    value: null,
    deviations: [{ kind: 'wrong type', path: '$', found: 'an array of 0' }],
  });
  expect(read({ orders: [] })).toMatchObject({
    value: null,
    deviations: [{ kind: 'wrong type', path: '$', found: 'an object' }],
  });
});

describe('drift: the row is good and the difference is reported', () => {
  test('a field that the interface does not have', () => {
    const row = orderWith({ stop_price: 5 });
    expect(read([order, row])).toMatchObject({
      value: [order, row],
      setAside: [],
      deviations: [
        { kind: 'unknown field', path: '$[1].stop_price', place: '$[].stop_price', found: 'number 5', count: 1 },
      ],
    });
  });

  test('a word that the interface does not list is kept as it came', () => {
    const row = orderWith({ time_in_force: 'GTD', product_type: 'Perpetual' });
    expect(read([row])).toMatchObject({
      value: [row],
      setAside: [],
      deviations: [
        { kind: 'unknown word', place: '$[].product_type', found: 'string "Perpetual"' },
        { kind: 'unknown word', place: '$[].time_in_force', expected: 'IOC or Day or GTC' },
      ],
    });
  });

  test('a whole number with a fraction, or past 2^53: the wire’s digits are kept beside the rounded number', () => {
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

  test('a mean price with more digits than a float holds is no deviation, and none of its digits is lost', () => {
    const text = JSON.stringify([order, order]).replace('17501.5', '17501.333333333333333333');
    const { value, deviations } = working.tolerant(text);
    expect(value?.map((row) => wireText(row, 'avg_price'))).toEqual(['17501.333333333333333333', '17501.5']);
    expect(deviations).toEqual([]);
  });

  test('whatever decimal came, its wire text is of the same value, digit for digit', () => {
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
    'no digit of %s is lost',
    (source) => {
      const row = working.tolerant(JSON.stringify([order]).replace('17501.5', source)).value?.[0];
      expect(row && wireText(row, 'avg_price')).toBe(source);
    },
  );

  test('a zero with many digits is a zero', () => {
    const row = working.tolerant(JSON.stringify([order]).replace('17501.5', '-0.00000000000000000000')).value?.[0];
    expect(row && wireText(row, 'avg_price')).toBe('0');
  });

  test('a new field in a part of a row', () => {
    const chart = createParser(ENDPOINTS.chartPrice.response);
    const rows = [replaceAt(wireAnswers.chartPrice[0], ['ohlc', 'vwap'], '1.0')];
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

describe('faults: the row is set aside and the good ones stay', () => {
  test.each<[string, unknown, string]>([
    ['a missing field', removeAt(order, ['price']), 'missing field $[1].price'],
    ['a retyped field', orderWith({ price: '17502' }), 'wrong type $[1].price'],
    ['a number for an id', orderWith({ id: 7_674_028_327_896_836 }), 'wrong type $[1].id'],
    ['a null where the interface has none', orderWith({ price: null }), 'wrong type $[1].price'],
    ['a number that is none', replaceAt(order, ['quantity_filled'], [4]), 'wrong type $[1].quantity_filled'],
    ['no row at all', null, 'wrong type $[1]'],
    ['a list', [order], 'wrong type $[1]'],
    ['a text', 'order', 'wrong type $[1]'],
  ])('%s', (_, bad, deviation) => {
    const { value, setAside, deviations } = read([order, bad, order]);
    expect(value).toEqual([order, order]);
    expect(setAside).toMatchObject([{ index: 1, row: bad }]);
    expect(deviations.map(({ kind, path }) => `${kind} ${path}`)).toEqual([deviation]);
    expect(setAside[0]?.deviations.map(({ kind, path }) => `${kind} ${path}`)).toEqual([deviation]);
  });

  test.each(['2026-11-19T00:00:00Z', '19.11.2026', '2026-02-30', '2026-13-01', ''])('a day that is none, %j: nothing could be put in order by it', (date) => {
    const chart = createParser(ENDPOINTS.chartVoi.response);
    const [good] = wireAnswers.chartVoi;
    const { value, setAside, deviations } = chart.tolerant(JSON.stringify([good, { ...good, date }]));
    expect([value, setAside.map(({ index }) => index)]).toEqual([[good], [1]]);
    expect(deviations).toMatchObject([{ kind: 'wrong form', place: '$[].date', count: 1 }]);
  });

  test('deviations are counted by kind and place, the first row that showed one being named', () => {
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

  test('a place in a list of a list is one place', () => {
    const specs = createParser(ENDPOINTS.productSpecs.response);
    const [spec] = wireAnswers.productSpecs;
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

  test('of any mixture of rows exactly the good ones are given, in their order', () => {
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

  test('ten thousand rows, every tenth of them bad', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => (index % 10 === 0 ? orderWith({ status: 1 }) : order));
    const { value, setAside, deviations } = read(rows);
    expect([value?.length, setAside.length]).toEqual([9_000, 1_000]);
    expect(deviations).toMatchObject([{ kind: 'wrong type', path: '$[0].status', place: '$[].status', count: 1_000 }]);
  });

  test('one object that is faulty is not given', () => {
    expect(stats.tolerant('{"productId":1,"volume":null}')).toMatchObject({
      value: null,
      deviations: [{ kind: 'missing field', path: '$.notionalVolume', count: 1 }],
    });
  });
});

describe('pages', () => {
  const readPage = (value: unknown) => page.tolerant(JSON.stringify(value));

  test('good rows beside bad ones keep their page and its cursor', () => {
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

  // A page that does not say where to go on would pass for the last one, and a cut list for a whole one.
  test.each<[unknown, string]>([
    [{ data: [order] }, '$.pagination'],
    [{ data: [order], pagination: null }, '$.pagination'],
    [{ data: [order], pagination: { cursor: 5 } }, '$.pagination.cursor'],
    [{ data: { 0: order }, pagination: {} }, '$.data'],
    [{ pagination: {} }, '$.data'],
    [[order], '$'],
  ])('what is no page gives no rows: %j', (value, path) => {
    expect(readPage(value)).toMatchObject({ value: null, deviations: [{ path, count: 1 }] });
  });
});

describe('hostile answers', () => {
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

  test('brackets without end, beside a number that asks for a second reading, do not break the reader', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = JSON.stringify([order]).replace('"price":17502', `"price":9007199254740993,"deep":${deep}`);
    expect(() => working.tolerant(text)).not.toThrow();
  });

  test('a long text is told in few words', () => {
    const [deviation] = read([orderWith({ price: 'x'.repeat(100_000) })]).deviations;
    expect(deviation?.found.length).toBeLessThan(60);
  });

  test('any JSON at all is read without an exception, and what is given is what came', () => {
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
