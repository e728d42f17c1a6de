import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsOf, removeAt, replaceAt, type Field } from '#testing/corrupt.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Deviation } from './check.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../exchange/endpoints.ts';
import { createParser, ShapeError } from './parse.ts';

const parsers = new Map(ENDPOINT_NAMES.map((name) => [name, createParser(ENDPOINTS[name].response)]));

function deviationsOf(name: EndpointName, text: string): readonly Deviation[] {
  try {
    parsers.get(name)?.strict(text);
    return [];
  } catch (error) {
    if (error instanceof ShapeError) return error.deviations;
    throw error;
  }
}

const deviationTexts = (name: EndpointName, value: unknown) =>
  deviationsOf(name, JSON.stringify(value)).map(({ kind, path }) => `${kind} ${path}`);

const FIELDS = ENDPOINT_NAMES.flatMap((name) => fieldsOf(sampleResponses[name]).map((field) => ({ name, ...field })));
/** Nullable and optional fields, copied from the interface by hand. */
const NULLABLE =
  /(?:^\$|\[0\])\.(?:volume|notionalVolume|openInterest|notionalOpenInterest|avg_price)$|\.pagination\.cursor$/;
const OPTIONAL =
  /\.(?:cursor|settlement_method|month|year|first_trading_day|final_settle_time|legs|underlying_product|strike_price|option_type)$/;

const isNullable = ({ name, path }: { readonly name: EndpointName; readonly path: string }): boolean =>
  NULLABLE.test(path) || (name.startsWith('productData') && /\.(?!product_id$)\w+$/.test(path));

const anyField = fc.constantFrom(...FIELDS);

/** JSON values of all types. */
const anyJson = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, '', 'x', {}, []),
  fc.jsonValue({ maxDepth: 1, stringUnit: 'grapheme' }),
);

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  test('a valid response is parsed unchanged', () => {
    expect(parsers.get(name)?.strict(JSON.stringify(sampleResponses[name]))).toEqual(sampleResponses[name]);
  });

  test.each(['null', '1', '"text"', 'true'])('%s instead of a response is rejected', (text) => {
    expect(deviationsOf(name, text)).toMatchObject([{ kind: 'wrong type', path: '$' }]);
  });

  test.each([
    '',
    ' ',
    'undefined',
    'NaN',
    '{',
    '[1,]',
    "{'a':1}",
    '<html><body>502 Bad Gateway</body></html>',
    '\u{feff}[]',
    '[] []',
  ])('%j is not JSON', (text) => {
    expect(deviationsOf(name, text)).toMatchObject([{ kind: 'not JSON', path: '$' }]);
  });
});

test('a field of another type is rejected by name', () => {
  fc.assert(
    fc.property(anyField, anyJson, (field, other) => {
      fc.pre(typeOf(other) !== typeOf(field.value) && !(other === null && isNullable(field)));
      expect(deviationTexts(field.name, replaceAt(sampleResponses[field.name], field.keys, other))).toEqual([
        `wrong type ${field.path}`,
      ]);
    }),
    { numRuns: 3_000 },
  );
});

test.each(FIELDS.filter(({ keys }) => typeof keys.at(-1) === 'string'))(
  '$name without $path is rejected unless the field is optional',
  (field) => {
    const without = removeAt(sampleResponses[field.name], field.keys);
    expect(deviationTexts(field.name, without)).toEqual(
      OPTIONAL.test(field.path) ? [] : [`missing field ${field.path}`],
    );
  },
);

/** The field that must be null as well, or is withheld. */
const NEEDED_BY: Readonly<Record<string, string>> = {
  'productData.last_price_time': 'last_price',
  'productData.settlement_time': 'settlement_price',
  'trailingStats.volume': 'notionalVolume',
  'trailingStats.notionalVolume': 'notionalVolume',
};

test.each(FIELDS)('$name: null at $path is rejected unless the field is nullable', (field) => {
  const without = isNullable(field) ? [] : [`wrong type ${field.path}`];
  const [, start = '', name = ''] = /^(.*\.)(\w+)$/.exec(field.path) ?? [];
  const needing = NEEDED_BY[`${field.name.replace('All', '')}.${name}`];
  const expected = needing === undefined ? without : [`impossible value ${start}${needing}`];
  expect(deviationTexts(field.name, replaceAt(sampleResponses[field.name], field.keys, null))).toEqual(expected);
});

test('an unknown field is rejected by name', () => {
  const objects = FIELDS.filter(({ value }) => typeOf(value) === 'object');
  fc.assert(
    fc.property(fc.constantFrom(...objects), fc.stringMatching(/^[a-z]{1,3}_new$/), anyJson, (field, added, value) => {
      const changed = replaceAt(sampleResponses[field.name], field.keys, {
        ...(field.value as object),
        [added]: value,
      });
      expect(deviationTexts(field.name, changed)).toEqual([`unknown field ${field.path}.${added}`]);
    }),
  );
});

describe('the format of texts and numbers', () => {
  const of = (name: EndpointName, path: string): Field => {
    const field = FIELDS.find((candidate) => candidate.name === name && candidate.path === path);
    return field ?? expect.fail(`${name} has no ${path}`);
  };

  test.each<[EndpointName, string, readonly unknown[]]>([
    ['chartPrice', '$[0].date', ['2025-12-32', '2025-02-29', '2025-12-14T00:00:00Z', '']],
    ['chartVoi', '$[0].productId', [0, -1]],
    ['productSpec', '$.price_increment', [0, -5]],
    ['productSpec', '$.contract_size', [0, -0.01]],
    ['chartVoi', '$[0].baseSymbol', ['\ud800', '\udc00BTC']],
  ])('%s %s', (name, path, values) => {
    const { keys } = of(name, path);
    for (const value of values)
      expect(deviationTexts(name, replaceAt(sampleResponses[name], keys, value)), String(value)).toEqual([
        `wrong format ${path}`,
      ]);
  });

  test.each<[EndpointName, string, readonly string[]]>([
    [
      'chartPrice',
      '$[0].time',
      ['2025-12-14', '2025-12-14T21:30:00', '2025-12-14T21:30:00.0000000000Z', '2025-02-30T00:00:00Z'],
    ],
    ['fundingRates', '$.data[0].interval_start', ['2026-08-17T00:00:00+00:00', 'now']],
    ['fundingEstimated', '$.interval_end', ['2026-08-18T24:00:00Z']],
    ['orders', '$.data[0].id', ['', '-1', '01', '1.0', '7674028327896836521n', '0x1f']],
    ['orders', '$.data[0].open_ack_id', ['ack', '1e9']],
    ['orders', '$.data[0].last_modified', ['2026-08-17 23:45:22Z']],
  ])('of ids and instants: %s %s', (name, path, values) => {
    const { keys } = of(name, path);
    for (const value of values)
      expect(deviationTexts(name, replaceAt(sampleResponses[name], keys, value)), value).toEqual([
        `unknown format ${path}`,
      ]);
  });

  test.each<[EndpointName, string, readonly unknown[]]>([
    ['chartVoi', '$[0].volume', [-1]],
    ['trailingStats', '$.volume', [-1]],
    ['ordersWorking', '$[0].quantity_filled', [-1, 13]],
    ['orders', '$.data[0].quantity_requested', [-1]],
    [
      'chartPrice',
      '$[0].ohlc.open',
      [
        '',
        '87,500.0',
        '$87500',
        '1e5',
        '.5',
        '5.',
        '007.5',
        '+1',
        'NaN',
        '-',
        ' 1',
        '1'.repeat(16),
        `0.${'1'.repeat(41)}`,
      ],
    ],
    ['chartPrice', '$[0].settlementPrice', ['87500 ', 'null']],
  ])('%s %s, which can be withheld', (name, path, values) => {
    const { keys } = of(name, path);
    for (const value of values)
      expect(deviationTexts(name, replaceAt(sampleResponses[name], keys, value)), String(value)).toEqual([
        `impossible value ${path}`,
      ]);
  });

  test.each<[EndpointName, string, unknown]>([
    ['chartPrice', '$[0].ohlc.volume', 0],
    ['chartPrice', '$[0].settlementPrice', '-0.0000000001'],
    ['chartPrice', '$[0].time', '2024-02-29T00:00:00Z'],
    ['chartVoi', '$[0].productId', 1],
    ['chartVoi', '$[0].notionalVolume', -1],
    ['orders', '$.data[0].price', -5],
    ['orders', '$.data[0].id', '0'],
    ['orders', '$.data[0].avg_price', 0.1],
  ])('%s %s may be %j', (name, path, value) => {
    expect(deviationTexts(name, replaceAt(sampleResponses[name], of(name, path).keys, value))).toEqual([]);
  });

  test.each<[EndpointName, string]>([
    ['orders', '$.data[0].product_type'],
    ['orders', '$.data[0].side'],
    ['orders', '$.data[0].status'],
    ['orders', '$.data[0].time_in_force'],
    ['productSpec', '$.type'],
    ['productSpec', '$.product_status'],
  ])('a value that %s %s does not list', (name, path) => {
    expect(deviationTexts(name, replaceAt(sampleResponses[name], of(name, path).keys, 'Other'))).toEqual([
      `unknown value ${path}`,
    ]);
    expect(deviationTexts(name, replaceAt(sampleResponses[name], of(name, path).keys, 'constructor'))).toEqual([
      `unknown value ${path}`,
    ]);
  });

  test.each<[string, string]>([
    ['9007199254740993', 'long number'],
    ['1e16', 'long number'],
    ['4.5', 'fraction'],
  ])('%s instead of an integer', (digits, kind) => {
    const text = JSON.stringify(sampleResponses.ordersWorking).replace('"price":17502', `"price":${digits}`);
    expect(deviationsOf('ordersWorking', text)).toMatchObject([{ kind, path: '$[0].price' }]);
  });

  test('a number past the range of floats', () => {
    const text = JSON.stringify(sampleResponses.fundingEstimated).replace('-0.00031', '1e400');
    expect(deviationsOf('fundingEstimated', text)).toMatchObject([{ kind: 'wrong type', path: '$.funding_rate' }]);
  });
});

test.each<[EndpointName, string]>([
  ['chartPrice', '[]'],
  ['ordersWorking', '[]'],
  ['orders', '{"data":[],"pagination":{}}'],
  ['orders', '{"data":[],"pagination":{"cursor":null}}'],
  ['fundingRates', '{"data":[],"pagination":{"cursor":""}}'],
])('an empty response is valid: %s %s', (name, text) => {
  expect(deviationsOf(name, text)).toEqual([]);
});

test('all deviations are reported with their rows', () => {
  const [row] = sampleResponses.ordersWorking;
  const anonymous = removeAt(row, ['id']);
  expect(deviationTexts('ordersWorking', [row, { ...row, price: '1' }, anonymous, { ...row, fee: 1 }])).toEqual([
    'wrong type $[1].price',
    'missing field $[2].id',
    'unknown field $[3].fee',
  ]);
});

test('the message has places and findings, and a limited length', () => {
  const many = Array.from({ length: 10_000 }, () => ({}));
  const read = () => parsers.get('trailingStatsAll')?.strict(JSON.stringify(many));
  expect(read).toThrow('$[0].productId: missing field, expected integer, found nothing');
  expect(read).toThrow('and 29980 more');
});

describe('property names of every object', () => {
  const text = JSON.stringify(sampleResponses.trailingStats);

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is an unknown field', (name) => {
    const changed = text.replace('{', `{"${name}":{"volume":1},`);
    expect(deviationsOf('trailingStats', changed)).toMatchObject([{ kind: 'unknown field', path: `$.${name}` }]);
    expect(({} as { volume?: unknown }).volume).toBeUndefined();
  });

  test('fields cannot be inherited', () => {
    expect(deviationsOf('trailingStats', `{"__proto__":${text}}`).map(({ kind }) => kind)).toEqual([
      'missing field',
      'missing field',
      'missing field',
      'unknown field',
    ]);
  });
});

test('deep nesting is a deviation like any other', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(deviationsOf('trailingStats', deep).map(({ path }) => path)).toEqual(['$']);
  expect(deviationsOf('trailingStatsAll', deep).map(({ path }) => path)).toEqual(['$[0]']);
});
