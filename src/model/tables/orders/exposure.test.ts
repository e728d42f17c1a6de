import { expect, it } from 'vitest';
import { Decimal } from '../../units/decimal.ts';
import { readCsv } from '#testing/read-csv.ts';
import { toExposureCsv } from './exposure.ts';

it('each line says what its figures are of, and a missing figure is empty', () => {
  const row = {
    account: '007',
    orders: 3,
    bid: new Decimal('1500.25'),
    ask: null,
    net: null,
    gross: new Decimal('1500.25'),
    unvalued: 1,
    isPending: false,
  };
  const [heading = [], line = []] = readCsv(
    toExposureCsv([row], { readAt: '2026-08-18T00:00:00Z', set: 'STALE', filters: ['Side is Bid', 'Product is GOOD'] }),
  );
  expect(Object.fromEntries(line.map((field, index) => [heading[index], field]))).toEqual({
    account_id: "'007",
    orders: '3',
    bid_underlying_notional_usd: '1500.25',
    ask_underlying_notional_usd: '',
    bid_minus_ask_usd: '',
    gross_usd: '1500.25',
    orders_without_value: '1',
    read_at: '2026-08-18T00:00:00.000000000Z',
    set: 'STALE',
    filters: 'Side is Bid; Product is GOOD',
  });
});
