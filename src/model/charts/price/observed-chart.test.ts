import { describe, expect, it } from 'vitest';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import type { DeskObservedPrices } from '#contract/desk/journal.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Source, Sourced } from '../../response.ts';
import { asTicks, byIncrement } from '../../units/quantity.ts';
import { describeObserved, toObservedChartData, toObservedCsv, toObservedStretches } from './observed-chart.ts';

const source: Source = {
  ...{ endpoint: 'desk/observedPrices', target: '/api/desk/journal/observed', respondedAt: null, receivedAt: 0 },
  ...{ ageSeconds: 0, cache: 'computed', requestId: null },
};
const DAY = '2026-11-20';
const at = (minute: number, second = 0): string =>
  new Date(Date.parse(`${DAY}T10:00:00Z`) + (minute * 60 + second) * 1_000).toISOString();

function priceOf(readAt: string, last: number | null, [low, high]: readonly (number | null)[] = [null, null]) {
  const prices = { last_price: last, settlement_price: 99, low_price: low, high_price: high };
  const times = { last_price_time: last === null ? null : readAt, settlement_time: `${DAY}T09:00:00Z` };
  return { read_at: readAt, product_id: 7, ...prices, ...times };
}

function respond(facts: object, prices: readonly object[]): Sourced<DeskObservedPrices> {
  const { response, rows } = DESK_ENDPOINTS.observedPrices;
  const body = { read_to: at(9), every_seconds: 20, missing: null, gaps: [], ...facts, prices };
  return { ...source, value: createParser(response, rows).strict(JSON.stringify(body)) };
}

function draw(response: Sourced<DeskObservedPrices>, conversion = asTicks) {
  const stretches = toObservedStretches(response, conversion);
  const [from, to] = [Date.parse(at(0)), Date.parse(at(30))];
  const formatTime = (epochMs: number): string => new Date(epochMs).toISOString().slice('YYYY-MM-DDT'.length, -5);
  return toObservedChartData({ response, stretches, from, to, conversion, formatTime });
}

describe('the prices that readings showed', () => {
  it('are drawn minute by minute, with what was not read left empty', () => {
    const gaps = [{ from: at(2, 10), to: at(6) }];
    const chart = draw(respond({ gaps }, [priceOf(at(0), 100), priceOf(at(1, 30), 101), priceOf(at(6), 101)]));
    expect(chart.panes[0]?.series[0]?.values).toEqual([100, 101, 101, null, null, 101, 101, 101, 101]);
    expect(chart.timeText(4)).toBe('10:05:00, nothing read');
    const [last, traded, read] = chart.readouts;
    expect([last?.text(0), last?.unit, last?.text(4)]).toEqual(['100', 'ticks', '–']);
    expect([traded?.text(1), read?.text(1), read?.text(8)]).toEqual(['10:01:30', '10:01:30', '10:06:00']);
    expect(last?.explain?.(4)).toEqual([{ name: 'No value', value: 'product data were not read' }]);
  });

  it('begin at the end of the minute of the first reading, and each holds from there on', () => {
    const gaps = [{ from: at(0), to: at(3, 20) }];
    const response = respond({ gaps }, [priceOf(at(3, 20), 100)]);
    expect(draw(response).panes[0]?.series[0]?.values).toEqual([100, 100, 100, 100, 100, 100]);
    expect([draw(response).timeName, draw(response).timeText(0)]).toEqual(['Read by', '10:04:00']);
    expect(draw(response).panes[0]?.series[0]).toMatchObject({ held: true });
    expect(describeObserved(response.value, Date.parse(at(0)), (epochMs) => new Date(epochMs).toISOString())).toEqual([
      `Nothing was read before ${at(3, 20)}.`,
    ]);
  });

  it('are said to be read throughout only if they are, and older than the session if they are', () => {
    const describe = (gaps: readonly object[], from: string) =>
      describeObserved(respond({ gaps }, [priceOf(at(0), 100)]).value, Date.parse(from), () => '');
    expect(describe([], at(0))).toEqual(['Read throughout.']);
    expect(describe([{ from: at(2), to: at(6) }], at(0))).toEqual(['1 gap in which nothing was read: left empty.']);
    expect(describe([], at(1))).toEqual(['Read throughout.', 'No trade in this session: the price is older.']);
  });

  it('end with the last reading, and of several in a minute the last one counts', () => {
    const chart = draw(respond({ read_to: at(0, 50) }, [priceOf(at(0, 10), 100), priceOf(at(0, 40), 102)]));
    expect(chart.panes[0]?.series[0]?.values).toEqual([102]);
  });

  it('are converted with the tick size, and withheld outside the low and high of their session', () => {
    const product = { product_id: 7, symbol: 'BUSZ26', price_increment: 5 } as unknown as DeskProduct;
    const conversion = byIncrement(product, null);
    if (conversion === null) throw new Error('the product has a tick size');
    const chart = draw(respond({}, [priceOf(at(0), 100), priceOf(at(3), 300, [90, 110])]), conversion);
    expect(chart.panes[0]?.series[0]?.values.slice(0, 4)).toEqual([500, 500, null, null]);
    expect(chart.panes[0]?.tags).toEqual([
      { name: 'Last', value: 500, ink: 'accent' },
      { name: 'Settle', value: 495, ink: 'muted' },
    ]);
    expect(chart.readouts[0]?.explain?.(3)).toContainEqual(
      expect.objectContaining({ value: expect.stringContaining('outside the low and high') as unknown }),
    );
  });

  it('are a file with a row for each price and how long it was read', () => {
    const gaps = [{ from: at(2), to: at(6) }];
    const response = respond({ gaps }, [priceOf(at(0), 100), priceOf(at(6), null)]);
    const csv = toObservedCsv(
      toObservedStretches(response, asTicks),
      { symbol: 'BUSZ26', source: response },
      'figures',
    );
    expect(csv.split('\r\n')).toEqual([
      'observed_at,observed_until,product_id,symbol,last_price_usd,last_price_at',
      `${DAY}T10:00:00.000000000Z,${DAY}T10:02:00.000000000Z,7,BUSZ26,,${DAY}T10:00:00.000000000Z`,
      `${DAY}T10:06:00.000000000Z,${DAY}T10:09:00.000000000Z,7,BUSZ26,,`,
      '',
    ]);
  });
});
