import { expect, test } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { measureWindow } from '../../funding/funding-window.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { toPerpetualData } from './perpetual-data.ts';

/** Known since the launch at funding time 0, but requested only from funding time 11. */
const perpetual = {
  base_symbol: 'BTCUC',
  product_id: 5_599,
  prints: toWirePrints([printAt(10, '0.0001'), printAt(11, '0.0002'), printAt(13, '0.0003')]),
  known_from: fundingTimeAt(0),
  reaches_launch: true,
  stale_because: null,
};
const source = {
  target: `/api/desk/funding?base_symbol=BTCUC&begin_time=${fundingTimeAt(11)}`,
  value: { perpetuals: [perpetual] },
} as unknown as ApiResponse<DeskFunding>;

const NOTHING = { prices: [], data: null, days: null, latest: null } as const;

test('intervals before the requested time count as not read, not as missing', () => {
  const data = toPerpetualData(source, null, NOTHING, null);
  const measured =
    data && measureWindow(data.series, { from: Date.parse(fundingTimeAt(2)), to: Date.parse(fundingTimeAt(14)) });
  expect(measured).toMatchObject({ prints: 3, intervals: 12, notRead: 8, missing: 1 });
});

test('of an expired perpetual no settled rate is due', () => {
  const faultsOf = (product_status: string) => {
    const product = {
      product_id: 5_599,
      type: 'perpetual',
      base_symbol: 'BTCUC',
      product_status,
    } as unknown as DeskProduct;
    return toPerpetualData(source, product, NOTHING, Date.parse(fundingTimeAt(20)))?.series.faults.map(
      ({ kind }) => kind,
    );
  };
  expect([faultsOf('active'), faultsOf('expired')]).toEqual([['gap', 'gap'], ['gap']]);
});

test('the latest rate is compared with that of the history', () => {
  const read = (rate: string) =>
    toPerpetualData(source, null, { ...NOTHING, latest: { data: toWirePrints([printAt(13, rate)]) } }, null)?.otherRate;
  expect(read('0.0003')).toBeNull();
  expect(read('-0.0003')).toMatchObject({ settledAt: fundingTimeAt(14) });
});

test('ticks become USD only after the prices that check the tick size have been read', () => {
  const product = {
    product_id: 5_599,
    type: 'perpetual',
    base_symbol: 'BTCUC',
    price_increment: 5,
  } as unknown as DeskProduct;
  expect(
    [undefined, []].map(
      (prices) => toPerpetualData(source, product, { ...NOTHING, prices }, null)?.conversion?.withheld,
    ),
  ).toEqual([expect.stringContaining('has been read'), null]);
});
