// These tests check that exported files have the columns that programs know from the previous version, under the names of
// the table in docs/data.md. Files of all perpetuals are saved in a browser and tested there.
import { expect, it } from 'vitest';
import { toDecimal } from '#model/units/decimal.ts';
import { toCsvLines } from '#model/format/csv.ts';
import { toCarryCsv } from '#model/tables/funding/carry.ts';
import { toRateChartCsv } from '#model/charts/funding/rate-chart.ts';
import { toMarketCsv } from '#model/tables/markets/market-csv.ts';
import { toHistoryStatement } from '#page/screens/orders/export/export-history.ts';
import { toOrderHeading } from '#model/tables/orders/order-csv.ts';
import { toWorkingStatement } from '#model/tables/orders/export-working.ts';
import { toComparisonCsv } from '#model/charts/price/comparison-csv.ts';
import { toPriceCsv } from '#model/charts/price/price-csv.ts';
import { endpointRowsToCsv } from '#model/tables/status/endpoint-rows.ts';
import { toVolumeBarsCsv, toVolumeCsv } from '#page/screens/volume/chart/volume-csv.ts';
import { earlierBrowser, renameColumns } from '#testing/earlier-version/browser.ts';

/** Headings depend on none of these values. */
const source = { receivedAt: 0 };
const empty = { ...source, source, value: [], slots: [], payments: [], perpetual: {} } as never;
const position = { contracts: toDecimal('1'), contractSize: toDecimal('1'), increment: toDecimal('1') } as never;
const result = {
  end: null,
  stoppedBecause: null,
  read: 0,
  written: 0,
  repeated: 0,
  setAside: 0,
  requests: 0,
  firstResponse: null,
  lastResponse: null,
  at: null,
};
const completeness = { complete: true, reasons: [], parts: [], orders: 0, repeated: 0, readFrom: null, readTo: null };
const subject = { file: 'orders.csv', filters: [], exportedAt: '2026-11-20T12:00:00Z', request: '/api/desk/working' };
const orders = () => toCsvLines([toOrderHeading('full')]);

const WRITTEN: Readonly<Record<string, readonly (() => string)[]>> = {
  '/': [() => toMarketCsv([])],
  '/price/PBTCUCZ50': [() => toPriceCsv(empty, empty, { prices: empty, voi: undefined })],
  '/price/PBTCUCZ50?vs=PETHUIZ50': [() => toComparisonCsv([])],
  '/volume?product=PBTCUCZ50': [() => toVolumeCsv(empty, [], 'total')],
  '/volume?product=PBTCUCZ50&bars=1W': [() => toVolumeBarsCsv(empty, [], '1W')],
  '/funding/BTCUC': [
    () => toCarryCsv(empty, empty, position),
    () => toRateChartCsv({ data: empty, intervals: [], side: 'market' }),
  ],
  '/orders': [() => toWorkingStatement({ ...subject, completeness, isStale: false, exported: 0 } as never), orders],
  '/orders/history?day=2026-11-20': [() => toHistoryStatement({ ...subject, result, query: {} } as never), orders],
  '/status': [() => endpointRowsToCsv([])],
};

/** The screens in the table of old names. */
const SCREENS: Readonly<Record<string, string>> = {
  '/': 'Markets',
  '/price/PBTCUCZ50': 'Price',
  '/price/PBTCUCZ50?vs=PETHUIZ50': 'Price',
  '/volume?product=PBTCUCZ50': 'Volume / OI',
  '/volume?product=PBTCUCZ50&bars=1W': 'Volume / OI',
  '/funding/BTCUC': 'Funding',
  '/orders': 'Orders and Activity',
  '/orders/history?day=2026-11-20': 'Orders and Activity',
  '/status': 'Status',
};

const files = earlierBrowser.exports
  .filter(({ address }) => address in WRITTEN)
  .flatMap(({ address, files }) => files.map((file, at) => ({ ...file, address, at })));

it.each(files)(
  'a file has what the version before wrote, under names that are listed: $address, $file',
  ({ address, at, heading, keys }) => {
    const text = WRITTEN[address]?.[at]?.() ?? '';
    if (keys !== undefined)
      expect(Object.keys(JSON.parse(text) as object).filter((key) => keys.includes(key))).toEqual(keys);
    else
      expect(text.split('\r\n')[0]?.split(',')).toEqual(
        expect.arrayContaining([...renameColumns(heading ?? '', SCREENS[address] ?? '')]),
      );
  },
);

it('no file of the version before is left out', () => {
  const others = earlierBrowser.exports.map(({ address }) => address).filter((address) => !(address in WRITTEN));
  expect(others).toEqual(['/funding?pick=BTCUC,ETHUI&long=BTCUC&short=ETHUI']);
  expect(files).toHaveLength(12);
});
