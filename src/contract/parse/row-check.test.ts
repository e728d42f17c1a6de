import { describe, expect, test } from 'vitest';
import { sampleResponses } from '#testing/sample-responses.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../exchange/endpoints.ts';
import { WORKING_ORDERS_LIMIT } from '../exchange/order.ts';
import type { Parameter } from '../exchange/parameters.ts';
import { createParser } from './parse.ts';
import { createRowCheck, type RequestPairs, toRowShape } from './row-check.ts';

const NOW = Date.parse('2026-08-17T12:00:00Z');

function parse(name: EndpointName, pairs: RequestPairs, response: unknown, venueNow: number | null = NOW) {
  return createParser(ENDPOINTS[name].response).tolerant(
    JSON.stringify(response),
    createRowCheck(ENDPOINTS[name], pairs, venueNow),
  );
}

/** Returns each kind of deviation, with the indexes of the rows left out. */
function judge(name: EndpointName, pairs: RequestPairs, rows: readonly unknown[], venueNow: number | null = NOW) {
  const isPage = ENDPOINTS[name].paged;
  const { setAside, deviations } = parse(name, pairs, isPage ? { data: rows, pagination: {} } : rows, venueNow);
  return [deviations.map(({ kind }) => kind).join(), setAside.map(({ index }) => index)];
}

const [order] = sampleResponses.ordersWorking;
const [print] = sampleResponses.fundingRates.data;
const [session] = sampleResponses.chartPrice;
const [voi] = sampleResponses.chartVoi;
const orderAt = (time: string, fields: object = {}) => ({ ...order, time, last_modified: time, ...fields });
const printTo = (interval_end: string, fields: object = {}) => ({ ...print, interval_end, ...fields });
const dayOf = (date: string, fields: object = {}) => ({ ...session, date, time: `${date}T21:00:00Z`, ...fields });
const voiOf = (date: string, fields: object = {}) => ({ ...voi, date, ...fields });

describe('rows that a request did not ask for are left out', () => {
  const plain = orderAt('2026-08-17T10:00:00Z', {
    symbol: 'BUSZ26',
    product_id: 5_599,
    product_type: 'Future',
    clearing_firm_code: 'HAL',
    account_id: 'HAL-1',
    connection_id: '3F',
  });

  test.each([
    ['symbol', 'BUSZ26', { symbol: 'BUSH27' }],
    ['product_id', '5599', { product_id: 5_600 }],
    ['product_type', 'Future', { product_type: 'Spread' }],
    ['clearing_member_code', 'HAL', { clearing_firm_code: 'MER' }],
    ['account_id', 'HAL-1', { account_id: 'MER-1' }],
    ['connection_id', '3f', { connection_id: '40' }],
  ])('%s=%s', (name, value, other) => {
    for (const endpoint of ['orders', 'ordersWorking'] as const) {
      expect(judge(endpoint, [[name, value]], [plain, { ...plain, ...other }, plain])).toEqual(['not requested', [1]]);
    }
  });

  test('the deviation names field, requested value and received value; the other rows are used', () => {
    const { value, setAside, deviations } = parse(
      'ordersWorking',
      [['account_id', 'HAL-1']],
      [{ ...plain, account_id: 'MER-1' }, plain],
    );
    expect(value).toEqual([plain]);
    expect(setAside).toMatchObject([{ index: 0, row: { account_id: 'MER-1' } }]);
    expect(deviations).toMatchObject([
      {
        kind: 'not requested',
        place: '$[].account_id',
        path: '$[0].account_id',
        expected: 'HAL-1',
        found: 'string "MER-1"',
        count: 1,
      },
    ]);
  });

  test('rows keep their index in the response when invalid rows precede them', () => {
    expect(
      judge('ordersWorking', [['account_id', 'HAL-1']], [{}, plain, { ...plain, account_id: 'MER-1' }])[1],
    ).toEqual([0, 2]);
  });

  test('one object of another product is no response', () => {
    const stats = { productId: 1_547, volume: 1, notionalVolume: 1 };
    expect(parse('trailingStats', [['product_id', '1547']], stats)).toMatchObject({ value: stats, deviations: [] });
    expect(parse('trailingStats', [['product_id', '1548']], stats)).toMatchObject({
      value: null,
      deviations: [{ kind: 'not requested', path: '$.productId' }],
    });
  });

  test('settled rates of one base symbol are of one product: that of most rows, or none', () => {
    const prints = ['2026-08-16T16:00:00Z', '2026-08-17T00:00:00Z', '2026-08-17T08:00:00Z'].map((end) => printTo(end));
    expect(judge('fundingRates', [['base_symbol', 'BTCUC']], [...prints, { ...prints[1], product_id: 5_608 }])).toEqual(
      ['not requested', [3]],
    );
    expect(
      judge('fundingRates', [['base_symbol', 'BTCUC']], [{ ...prints[1], product_id: 5_608 }, ...prints.slice(2)]),
    ).toEqual(['not requested', [0, 1]]);
    expect(judge('fundingRates', [], [...prints, { ...prints[1], product_id: 5_608 }])).toEqual(['', []]);
  });

  test('a closed order is no working order', () => {
    expect(judge('ordersWorking', [], [plain, { ...plain, status: 'Closed' }])).toEqual(['not requested', [1]]);
    expect(judge('orders', [], [plain, { ...plain, status: 'Closed' }])).toEqual(['', []]);
  });

  test('more working orders than the interface allows are used, and reported', () => {
    const all = Array.from({ length: WORKING_ORDERS_LIMIT + 1 }, () => plain);
    const { value, setAside, deviations } = parse('ordersWorking', [], all);
    expect([value, setAside]).toMatchObject([{ length: all.length }, []]);
    expect(deviations).toMatchObject([
      { kind: 'too many rows', path: '$', expected: 'at most 10000 rows', found: 'an array of 10001' },
    ]);
    expect(judge('ordersWorking', [], all.slice(1))).toEqual(['', []]);
  });
});

describe('rows outside the requested range are left out', () => {
  const range = (begin: string, end: string): RequestPairs => [
    ['begin_time', begin],
    ['end_time', end],
  ];

  test.each([
    ['2026-08-01T00:00:00Z', [0, 5]],
    ['2026-08-01T00:00:00.000000001Z', [0, 1, 5]],
  ])('orders to the nanosecond, either bound included (from %s)', (begin, leftOut) => {
    const times = [
      '2026-07-31T23:59:59.999999999Z',
      '2026-08-01T00:00:00Z',
      '2026-08-01T00:00:00.000000001Z',
      '2026-08-02T00:00:00Z',
      '2026-08-02T00:00:00.000Z',
      '2026-08-02T00:00:00.000000001Z',
    ];
    expect(
      judge(
        'orders',
        range(begin, '2026-08-02T00:00:00Z'),
        times.map((time) => orderAt(time)),
      ),
    ).toEqual(['outside the range', leftOut]);
  });

  test('a session or an interval at a bound may or may not be in the range', () => {
    const [begin, end] = ['2026-08-10T12:00:00Z', '2026-08-12T12:00:00Z'];
    const days = ['2026-08-08', '2026-08-10', '2026-08-12', '2026-08-14'];
    expect(
      judge(
        'chartPrice',
        range(begin, end),
        days.map((day) => dayOf(day)),
      ),
    ).toEqual(['outside the range', [0, 3]]);
    expect(
      judge(
        'chartVoi',
        [['product_id', '1547'], ...range(begin, end)],
        days.map((day) => voiOf(day)),
      ),
    ).toEqual(['outside the range', [0, 3]]);
    const ends = ['2026-08-10T00:00:00Z', '2026-08-10T08:00:00Z', '2026-08-12T16:00:00Z', '2026-08-13T00:00:00Z'];
    expect(
      judge(
        'fundingRates',
        range(begin, end),
        ends.map((at) => printTo(at)),
      ),
    ).toEqual(['outside the range', [0, 3]]);
  });

  test('now, no range and the first day of the calendar are no bounds', () => {
    const orders = [orderAt('2020-01-01T00:00:00Z'), orderAt('2026-08-17T11:59:59Z')];
    expect(judge('orders', [['end_time', 'now']], orders)).toEqual(['', []]);
    expect(judge('orders', [], orders)).toEqual(['', []]);
    expect(judge('fundingRates', [['begin_time', '0000-01-01T00:00:00Z']], [printTo('2026-08-10T00:00:00Z')])).toEqual([
      '',
      [],
    ]);
  });

  test('a day overrides the range; its zone is not defined, so its neighbours are within', () => {
    const times = [
      '2026-08-07T23:59:59Z',
      '2026-08-08T00:00:00Z',
      '2026-08-09T12:00:00Z',
      '2026-08-11T00:00:00Z',
      '2026-08-11T00:00:01Z',
    ];
    expect(
      judge(
        'orders',
        [['day', '2026-08-09'], ...range('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')],
        times.map((time) => orderAt(time)),
      ),
    ).toEqual(['outside the range', [0, 4]]);
    expect(judge('productDataAll', [['day', '2020-01-01']], sampleResponses.productDataAll, null)).toEqual(['', []]);
  });

  test('a time in another format is named, and shown as it is', () => {
    expect(judge('orders', range('2026-08-01T00:00:00Z', '2026-08-02T00:00:00Z'), [orderAt('Monday')])).toEqual([
      'unknown format,unknown format',
      [],
    ]);
  });
});

describe('rows in the future are left out', () => {
  test.each([
    ['orders', orderAt('2026-08-17T12:01:00Z'), orderAt('2026-08-17T12:01:00.000000001Z')],
    [
      'ordersWorking',
      orderAt('2026-08-17T12:00:00Z'),
      orderAt('2026-08-17T12:00:00Z', { last_modified: '2026-09-17T12:00:00Z' }),
    ],
    ['fundingRates', printTo('2026-08-17T08:00:00Z'), printTo('2026-08-17T16:00:00Z')],
    ['chartPrice', dayOf('2026-08-17'), dayOf('2026-08-19')],
    [
      'chartPrice',
      dayOf('2026-08-18', { time: '2026-08-18T12:00:00Z' }),
      dayOf('2026-08-17', { time: '2026-09-17T21:00:00Z' }),
    ],
    ['chartVoi', voiOf('2026-08-18'), voiOf('2026-08-19')],
    [
      'productDataAll',
      {
        ...sampleResponses.productDataAll[0],
        last_price_time: null,
        last_price: null,
        settlement_time: null,
        settlement_price: null,
      },
      { ...sampleResponses.productDataAll[0], product_id: 1, last_price_time: '2026-09-17T12:00:00Z' },
    ],
  ] as const)('%s', (name, past, future) => {
    expect(judge(name, [], [past, future])).toEqual(['in the future', [1]]);
    expect(judge(name, [], [past, future], null)).toEqual(['', []]);
  });
});

describe('two rows for one key', () => {
  test('equal ones count once, and of different ones none counts', () => {
    const [first, second, third] = [dayOf('2026-08-10'), dayOf('2026-08-11'), dayOf('2026-08-12')];
    expect(judge('chartPrice', [['id', '5599']], [first, second, second, third])).toEqual(['duplicate', [2]]);
    expect(
      judge('chartPrice', [['id', '5599']], [first, second, { ...second, settlementPrice: '1' }, third, second]),
    ).toEqual(['contradiction', [1, 2, 4]]);
  });

  test('a list of all products has one row a product and day', () => {
    const rows = [voiOf('2026-08-10'), voiOf('2026-08-10', { productId: 1 }), voiOf('2026-08-11')];
    expect(judge('chartVoi', [], rows)).toEqual(['', []]);
    expect(judge('chartVoi', [], [...rows, voiOf('2026-08-11', { volume: 9 })])).toEqual(['contradiction', [2, 3]]);
  });

  test('a total of several products has one row a day, with the id of one of them', () => {
    const pairs: RequestPairs = [
      ['product_id', '1547'],
      ['product_id', '1548'],
    ];
    expect(judge('chartVoi', pairs, [voiOf('2026-08-10'), voiOf('2026-08-11', { productId: 1_548 })])).toEqual([
      '',
      [],
    ]);
    expect(
      judge('chartVoi', pairs, [voiOf('2026-08-10'), voiOf('2026-08-10', { productId: 1_548 }), voiOf('2026-08-11')]),
    ).toEqual(['contradiction', [0, 1]]);
    expect(judge('chartVoi', pairs, [voiOf('2026-08-10'), voiOf('2026-08-10', { productId: 9_999 })])).toEqual([
      'not requested',
      [1],
    ]);
  });

  test('a product has one row of statistics and of trading data', () => {
    const [stats, data] = [sampleResponses.trailingStatsAll[0], sampleResponses.productDataAll[0]];
    expect(judge('trailingStatsAll', [], [stats, { ...stats, volume: 7 }])).toEqual(['contradiction', [0, 1]]);
    expect(judge('productDataAll', [], [data, data], null)).toEqual(['duplicate', [1]]);
  });

  test('settled rates and orders may repeat: what shows them says so', () => {
    expect(judge('fundingRates', [], [print, print], null)).toEqual(['', []]);
    expect(judge('ordersWorking', [], [order, order], null)).toEqual(['', []]);
  });
});

describe('rows out of order are put in order', () => {
  const times = ['2026-08-10T00:00:00Z', '2026-08-10T08:00:00Z', '2026-08-10T16:00:00Z'];
  const read = (direction: string, ends: readonly string[]) => {
    const { value, setAside, deviations } = parse('fundingRates', [['order', direction]], {
      data: ends.map((end) => printTo(end)),
      pagination: {},
    });
    const { data } = value as { readonly data: readonly { readonly interval_end: string }[] };
    return [
      data.map(({ interval_end }) => interval_end),
      setAside,
      deviations.map(({ kind, path, expected }) => `${path}: ${kind}, expected ${expected}`),
    ];
  };

  test('and reported; rows in order are not touched', () => {
    expect(read('asc', times)).toEqual([times, [], []]);
    expect(read('desc', times.toReversed())).toEqual([times.toReversed(), [], []]);
    expect(read('desc', times)).toEqual([
      times.toReversed(),
      [],
      ['$.data.interval_end: out of order, expected rows in descending order'],
    ]);
    expect(read('asc', [times[1] ?? '', times[0] ?? '', times[2] ?? ''])[0]).toEqual(times);
  });

  test('a row without a readable time stays with the row before it', () => {
    const [early = '', middle = '', late = ''] = times;
    expect(read('asc', ['soon', middle, early, 'later', late])[0]).toEqual([early, 'later', 'soon', middle, late]);
  });

  test('the order that a request leaves open is the exchange’s', () => {
    expect(
      judge(
        'orders',
        [],
        times.map((time) => orderAt(time)),
      ),
    ).toEqual(['', []]);
  });

  test('rows that are left out are not put in order', () => {
    const { value } = parse(
      'orders',
      [
        ['order', 'desc'],
        ['account_id', 'A'],
      ],
      { data: times.map((time, index) => orderAt(time, { account_id: index === 1 ? 'B' : 'A' })), pagination: {} },
    );
    expect((value as { readonly data: readonly { readonly time: string }[] }).data.map(({ time }) => time)).toEqual([
      times[2],
      times[0],
    ]);
    const [early = '', late = ''] = times;
    expect(
      judge(
        'orders',
        [
          ['order', 'asc'],
          ['account_id', 'A'],
        ],
        [orderAt(late, { account_id: 'B' }), orderAt(early, { account_id: 'A' })],
      ),
    ).toEqual(['not requested', [0]]);
  });
});

test('each of several impossible values is found', () => {
  const endpoint = {
    ...ENDPOINTS.ordersWorking,
    rows: { ...ENDPOINTS.ordersWorking.rows, impossible: { status: 'Closed', side: 'None' } },
  };
  const rows = [order, { ...order, status: 'Closed' }, { ...order, side: 'None' }];
  expect([...createRowCheck(endpoint, [], null)(rows).leftOut].map(([index, { field }]) => [index, field])).toEqual([
    [1, 'status'],
    [2, 'side'],
  ]);
});

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  const { pathParameters, query, response, rows } = ENDPOINTS[name];
  const fields = Object.keys(toRowShape(response).properties ?? {});

  test('its rules are about fields that its rows have', () => {
    const { timeField, pastFields, keyFields, impossible } = rows;
    expect(fields).toEqual(
      expect.arrayContaining([
        ...(timeField === null ? [] : [timeField]),
        ...pastFields,
        ...keyFields,
        ...Object.keys(impossible),
      ]),
    );
  });

  test('parameters that only rows with a time can prove are of endpoints whose rows have one', () => {
    const parameters: readonly Parameter[] = Object.values({ ...pathParameters, ...query });
    const timed = parameters.filter(({ rule }) => rule !== undefined && rule.kind !== 'equal' && rule.kind !== 'alike');
    expect(timed.length === 0 || rows.timeField !== null).toBe(true);
  });
});
