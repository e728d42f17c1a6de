import { expect, it } from 'vitest';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import { toDecimal } from '../../units/decimal.ts';
import { NO_CHANGES } from '../../markets/price-change-names.ts';
import { type MarketRow, NO_AGES } from '../../markets/market-rows.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import { toMarketCsv } from './market-csv.ts';

const source = {
  endpoint: 'productDataAll',
  target: '/api/data',
  respondedAt: '2026-11-20T12:00:00.123456789Z',
  receivedAt: 0,
  ageSeconds: 1,
  cache: 'miss',
  requestId: 'r-1',
} as const;

function read(wireText: string, value: string | null, withheld: string | null = null): Quantity {
  const provenance = {
    kind: 'read',
    source,
    field: 'x',
    wireText,
    wireUnit: 'ticks',
    factor: '5',
    spec: null,
    dataTime: null,
  } as const;
  return { value: value === null ? null : toDecimal(value), unit: 'USD', withheld, provenance } as Quantity;
}

function row(changes: Partial<MarketRow>): MarketRow {
  const none = {
    last: null,
    lastTime: null,
    settlement: null,
    change: null,
    changeFraction: null,
    volume: null,
    volumeUsd: null,
    openInterest: null,
    openInterestUsd: null,
    funding: null,
  };
  const product = { symbol: 'PBTC', product_name: '=Bitcoin', type: 'future', contract_size_unit: 'BTC' };
  const check = { verdict: 'agrees', ratio: null, reason: null };
  return {
    productId: 7,
    product,
    check,
    settlementTime: null,
    openInterestDate: null,
    trend: [],
    ages: NO_AGES,
    terms: null,
    trading: null,
    changes: NO_CHANGES,
    ...none,
    ...changes,
  } as unknown as MarketRow;
}

function fieldsOf(text: string): Readonly<Record<string, string>> {
  const [heading = '', line = ''] = text.split('\r\n');
  const values = line.split(',');
  return Object.fromEntries(heading.split(',').map((name, index) => [name, values[index] ?? '']));
}

it('each figure is written with its raw text and its provenance', () => {
  const fields = fieldsOf(
    toMarketCsv([
      row({
        settlement: read('22917.125', '114585.625'),
        last: read('23809', '119045'),
        lastTime: '2026-11-20T11:59:58Z' as Instant,
      }),
    ]),
  );
  expect(fields).toMatchObject({ settlement_usd: '114585.625', settlement_usd_raw: '22917.125' });
  expect(fields).toMatchObject({
    last_price_usd: '119045',
    last_price_usd_raw: '23809',
    last_price_at: '2026-11-20T11:59:58.000000000Z',
  });
  expect(fields).toMatchObject({ request: 'GET /api/data', responded_at: '2026-11-20T12:00:00.123456789Z' });
});

it('the change is a fraction, and in percent as on screen', () => {
  const fields = fieldsOf(toMarketCsv([row({ changeFraction: { ...read('1', '0.0123456789'), unit: 'fraction' } })]));
  expect(fields).toMatchObject({ change_fraction: '0.0123456789', change_percent: '1.234568' });
});

it('a fraction that was computed by a division has 15 significant digits', () => {
  const one = { ...read('1', '1'), unit: 'fraction' } as const;
  const changeFraction = deriveQuantity('fraction', '1 ÷ 7', [one], ([value]) => value?.div(7) ?? null);
  expect(fieldsOf(toMarketCsv([row({ changeFraction })]))).toMatchObject({ change_fraction: '0.142857142857143' });
});

it('a closed product says when it opens; its changes are in percent, and their responses are named', () => {
  const opensAt = Date.parse('2026-11-30T01:00:00Z');
  const settlementChange = { quantity: { ...read('1', '-0.0306'), unit: 'fraction' }, missingBecause: null } as const;
  const changes = { ...NO_CHANGES, settlementChange, change24h: { quantity: null, missingBecause: 'Not recorded.' } };
  expect(fieldsOf(toMarketCsv([row({ trading: { isOpen: false, opensAt }, changes })]))).toMatchObject({
    ...{ trading: 'closed', opens_at: '2026-11-30T01:00:00.000000000Z', request: 'GET /api/data' },
    ...{ settlement_change_percent: '-3.06', change_24h_percent: '' },
  });
  expect(fieldsOf(toMarketCsv([row({ trading: { isOpen: true } })]))).toMatchObject({ trading: 'open', opens_at: '' });
  expect(toMarketCsv([row({})])).not.toContain('settlement_change_percent');
});

it('a missing figure is empty, not zero; a hidden one keeps its reason and raw text', () => {
  const fields = fieldsOf(
    toMarketCsv([
      row({
        change: read('-12', null, 'wrong'),
        check: { verdict: 'off', comparison: null, reason: 'The tick size is wrong.' },
      }),
    ]),
  );
  expect(fields).toMatchObject({
    settlement_usd: '',
    change_usd: '',
    change_usd_raw: '-12',
    withheld_because: 'The tick size is wrong.',
  });
});

it('a predicted rate that is not current says so', () => {
  const estimate = {
    ...read('0.0001', '0.0001'),
    provenance: { ...read('0.0001', '0.0001').provenance, source: { ...source, cache: 'stale' } },
  } as unknown as Quantity;
  const funding = {
    settled: null,
    settledApr: null,
    settledAt: null,
    interest: null,
    estimate,
    estimateApr: null,
    settledDoubt: null,
    estimateDoubt: null,
    estimateNotCurrent: 'Its interval is over.',
    interval: null,
  };
  expect(fieldsOf(toMarketCsv([row({ funding })]))).toMatchObject({
    predicted_rate_per_8h_fraction: '0.0001',
    predicted_rate_not_current_because: 'Its interval is over.',
    source: 'stale',
  });
});

it('figures that are overdue are named', () => {
  const overdue = { newest: '2026-11-10' as Day, due: '2026-11-19' as Day };
  const fields = fieldsOf(
    toMarketCsv([row({ ages: { ...NO_AGES, overdueSettlement: overdue, overdueInterest: overdue } })]),
  );
  expect(fields['overdue']).toBe(
    '"The newest settlement is from 10 Nov 2026; that of 19 Nov 2026 is missing. The newest open interest is from 10 Nov 2026; that of 19 Nov 2026 is missing."',
  );
  expect(fieldsOf(toMarketCsv([row({})]))['overdue']).toBe('');
});

it('the terms of a contract come last, raw where they are times, and empty where there are none', () => {
  const future = { product_id: 8, symbol: 'BUSZ26', price_increment: 5 };
  const product = {
    product_id: 7,
    symbol: 'BUSZ26-C120000',
    type: 'option',
    option_type: 'call',
    strike_price: 24_000,
    underlying_product: 8,
    final_settle_time: '2026-12-25T22:00:00Z',
    contract_size: 1,
    contract_size_unit: 'BTC',
    price_increment: 5,
    daily_open_time: '19:00:00',
  };
  const terms = { products: source, now: Date.parse('2026-12-24T05:30:00Z'), find: () => future, checkOf: () => null };
  const fields = fieldsOf(toMarketCsv([row({ product, terms } as unknown as Partial<MarketRow>)]));
  expect(Object.entries(fields).slice(-19, -2)).toEqual([
    ['final_settlement_at', '2026-12-25T22:00:00.000000000Z'],
    ['days_to_expiry', '1'],
    ['first_trading_day', ''],
    ['call_or_put', 'call'],
    ['strike_usd', '120000'],
    ['underlying_product', 'BUSZ26'],
    ['legs', ''],
    ['contract_size', '1'],
    ['tick_size_usd', '5'],
    ['opens_chicago', '19:00:00'],
    ['settles_chicago', ''],
    ['strike_ticks_raw', '24000'],
    ['terms_withheld_because', ''],
    ['hours_to_expiry', '40'],
    ['change_percent', ''],
    ['settled_rate_in_doubt_because', ''],
    ['predicted_rate_in_doubt_because', ''],
  ]);
  expect(fieldsOf(toMarketCsv([row({})]))).toMatchObject({ days_to_expiry: '', strike_usd: '' });
});

it('a name that a spreadsheet would run as a formula is escaped', () => {
  expect(fieldsOf(toMarketCsv([row({})]))['name']).toBe("'=Bitcoin");
});
