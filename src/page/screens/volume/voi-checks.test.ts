import { describe, expect, it } from 'vitest';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { toDueTimes } from '#model/time/overdue.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { describeOverdueInterest, withholdDoubtful } from './voi-checks.ts';
import type { VoiResponse } from './shared/use-voi.ts';
import { readCsv } from '#testing/read-csv.ts';
import { drawStacked, drawTotal } from './chart/draw-volume.ts';
import { toVolumeBarsCsv, toVolumeCsv } from './chart/volume-csv.ts';

/** A Saturday: Friday's open interest is due for perpetuals, Thursday's for everything else. */
const SATURDAY = toDueTimes(Date.parse('2026-11-21T20:00:00Z'));
const [day] = sampleResponses.chartVoi;

function responseOf(date: string): VoiResponse {
  return {
    value: createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify([{ ...day, date }])).value,
  } as unknown as VoiResponse;
}

function named(name: string, type: string, product_status = 'active'): NamedProduct {
  return { name, product: { type, product_status } } as unknown as NamedProduct;
}

const [perpetual, future, expired] = [
  named('PBTC', 'perpetual'),
  named('BUSZ26', 'future'),
  named('BUSX26', 'future', 'expired'),
];

describe('the open interest of one response', () => {
  it('is overdue by the calendar of its product', () => {
    expect(describeOverdueInterest(responseOf('2026-11-19'), [perpetual], SATURDAY)).toBe(
      'The newest open interest is from 19 Nov 2026; that of 20 Nov 2026 is missing.',
    );
    expect(describeOverdueInterest(responseOf('2026-11-18'), [future], SATURDAY)).toBeNull();
    expect(describeOverdueInterest(responseOf('2026-11-17'), [future], SATURDAY)).toContain(
      'that of 19 Nov 2026 is missing.',
    );
  });

  it('is due of a total as it is of its slowest product, and not at all of expired ones', () => {
    expect(describeOverdueInterest(responseOf('2026-11-18'), [perpetual, future, expired], SATURDAY)).toBeNull();
    expect(describeOverdueInterest(responseOf('2026-01-05'), [expired], SATURDAY)).toBeNull();
  });

  it('is not judged as long as the time is unknown', () => {
    expect(describeOverdueInterest(responseOf('2026-01-05'), [perpetual], null)).toBeNull();
  });
});

it('of responses for each product, the overdue ones are named', () => {
  const perProduct = [responseOf('2026-11-20'), responseOf('2026-11-10')];
  expect(describeOverdueInterest({ value: [], perProduct }, [perpetual, future], SATURDAY)).toBe(
    'BUSZ26: the newest open interest is from 10 Nov 2026; that of 19 Nov 2026 is missing.',
  );
});

const [sample] = sampleResponses.chartVoi;
const WRONG = 'Daily USD values are about 1/100 of contracts × contract size × price, so they are withheld.';
const checks = (['notionalVolume', 'notionalOpenInterest'] as const).map((field) => ({
  name: 'P1',
  field,
  reason: WRONG,
}));
const dates = ['2026-11-16', '2026-11-17'];
const products = [1, 2].map((id) => ({
  id,
  name: `P${String(id)}`,
  product: null,
})) as unknown as readonly NamedProduct[];
const [first] = products;
if (first === undefined) throw new Error('no product');

function respond(...ids: readonly number[]): VoiResponse {
  const rows = ids.flatMap((productId) =>
    dates.map((date) => ({
      ...sample,
      productId,
      date,
      volume: 4,
      notionalVolume: 400 * productId,
      openInterest: 5,
      notionalOpenInterest: 500 * productId,
    })),
  );
  const { value } = createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(rows));
  return {
    value,
    endpoint: 'chartVoi',
    target: '/api/voi',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 3,
    cache: 'miss',
    requestId: 'r-1',
  } as unknown as VoiResponse;
}

const stacked: VoiResponse = { ...respond(1, 2), perProduct: [respond(1), respond(2)] };
const checkedStack = withholdDoubtful(stacked, products, checks, 'stacked');

/** Returns the figures of the last bar, with the first line of their provenance. */
function figuresOf({ chartData }: ReturnType<typeof drawTotal>, at = 1) {
  return Object.fromEntries(
    chartData.readouts.map(({ name, text, explain }) => [name, [text(at), explain?.(at)[0]?.value]]),
  );
}

function columnsOf(text: string, ...names: readonly string[]) {
  const [heading = [], ...lines] = readCsv(text);
  return lines.map((cells) => names.map((name) => cells[heading.indexOf(name)]));
}

describe('USD values of one product that fail a check', () => {
  const one = withholdDoubtful(respond(1), [first], checks, 'total');

  it('are n/a with the reason, and a gap in the chart; contracts stay', () => {
    const usd = drawTotal(one, { unit: 'usd', period: '1D', scale: 'linear' });
    expect(figuresOf(usd)).toEqual({ 'Volume': ['n/a', WRONG], 'Open interest': ['n/a', WRONG] });
    expect(usd.chartData.panes.map(({ series }) => series[0]?.values)).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(figuresOf(drawTotal(one, { unit: 'contracts', period: '1D', scale: 'linear' }))).toMatchObject({
      'Volume': ['4', 'GET /api/voi'],
      'Open interest': ['5', 'GET /api/voi'],
    });
  });

  it('are n/a in longer bars too', () => {
    expect(figuresOf(drawTotal(one, { unit: 'usd', period: '1W', scale: 'percent' }), 0)).toEqual({
      'Volume': ['n/a', WRONG],
      'Open interest': ['n/a', WRONG],
    });
  });

  it('are missing in files, with the reason', () => {
    const names = ['volume_contracts', 'volume_usd', 'open_interest_usd', 'withheld_because'];
    expect(columnsOf(toVolumeCsv(one, [first], 'total'), ...names, 'volume_cents_raw')).toEqual(
      dates.map(() => ['4', '', '', WRONG, '']),
    );
    expect(columnsOf(toVolumeBarsCsv(one, [first], '1W'), ...names)).toEqual([['8', '', '', WRONG]]);
    expect(columnsOf(toVolumeCsv(respond(1), [first], 'total'), ...names)[0]).toEqual(['4', '4.00', '5.00', '']);
  });
});

describe('where products are stacked', () => {
  it('only that product is withheld, and with it the total', () => {
    const usd = drawStacked(checkedStack, products, 'usd');
    expect(figuresOf(usd)).toEqual({
      'Volume, total': ['n/a', WRONG],
      'Volume P1': ['n/a', WRONG],
      'Volume P2': ['8', 'GET /api/voi'],
      'Open interest, total': ['n/a', WRONG],
      'Open interest P1': ['n/a', WRONG],
      'Open interest P2': ['10', 'GET /api/voi'],
    });
    expect(usd.chartData.panes[0]?.series.map(({ values }) => values)).toEqual([
      [null, null],
      [8, 8],
    ]);
    expect(figuresOf(drawStacked(checkedStack, products, 'contracts'))).toMatchObject({
      'Volume, total': ['8', expect.anything()],
    });
  });

  it('the file has the reason in the rows of that product', () => {
    const rows = columnsOf(
      toVolumeCsv(checkedStack, products, 'stacked'),
      'product_id',
      'volume_usd',
      'withheld_because',
    );
    expect(rows).toEqual([...dates.map(() => ['1', '', WRONG]), ...dates.map(() => ['2', '8.00', ''])]);
  });
});

it('a total is withheld with the name of the product that is off', () => {
  const total = withholdDoubtful(respond(1), products, checks, 'total');
  expect(figuresOf(drawTotal(total, { unit: 'usd', period: '1D', scale: 'linear' }))['Volume']).toEqual([
    'n/a',
    `P1: ${WRONG}`,
  ]);
});

it('a sum of days is withheld where one of them is: without it, it would be too low', () => {
  const { value } = createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(
    JSON.stringify(dates.map((date, at) => ({ ...sample, productId: 1, date, volume: at === 0 ? -4 : 4 }))),
  );
  const week = drawTotal({ ...respond(1), value: value ?? [] }, { unit: 'contracts', period: '1W', scale: 'linear' });
  expect(figuresOf(week, 0)['Volume']).toEqual(['n/a', expect.stringContaining('Impossible value')]);
});

it('nothing changes where no check fails', () => {
  expect(withholdDoubtful(stacked, products, [], 'stacked')).toBe(stacked);
});
