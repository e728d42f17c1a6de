import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeskObservedPrices } from '#contract/desk/journal.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { createParser } from '#contract/parse/parse.ts';
import { packStretch } from '#server/journal/pack-stretch.ts';
import { createPriceStore } from '#server/journal/prices/price-store.ts';
import { createPriceReader, type PriceReader } from '#server/journal/prices/read-prices.ts';
import { createPriceRecorder } from '#server/journal/prices/record-prices.ts';
import { ALONE } from '#testing/server-store/alone.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { describeObservedPrices } from './describe-observed.ts';

const MINUTE = 60_000;
const FIRST_AT = Date.parse('2026-11-20T00:00:00Z');
const MINUTES = 40;

/** What the readings of successive minutes show of the product: a price, nothing since it is not listed, or no reading. */
const minutes = fc.array(fc.constantFrom(100, 101, 101, 'unlisted', 'unread', 'unread', 'unread'), {
  minLength: MINUTES,
  maxLength: MINUTES,
});

function toText(shown: number | string, at: number): string {
  const time = JSON.stringify(new Date(at).toISOString());
  const row = `{"product_id":7,"last_price_time":${time},"last_price":${String(shown)},"settlement_time":null,
    "settlement_price":null,"high_price":null,"low_price":null}`;
  const other = '{"product_id":8,"last_price_time":null,"last_price":null,"settlement_time":null}';
  return `[${[...(typeof shown === 'number' ? [row] : []), other].join(',')}]`;
}

async function record(shown: readonly (number | string)[]): Promise<PriceReader & { readonly close: () => unknown }> {
  const store = await openTestStore();
  const prices = createPriceStore(store, 'exchange');
  const recorder = createPriceRecorder({
    ...{ store: prices, lease: ALONE, pack: packStretch, keptMs: 100 * MINUTES * MINUTE, now: () => FIRST_AT },
  });
  for (const [minute, each] of shown.entries()) {
    const at = FIRST_AT + minute * MINUTE;
    if (each !== 'unread') await recorder.record(toText(each, at), at);
  }
  return { ...createPriceReader(prices, 60), close: () => store.close() };
}

const parser = createParser(DESK_ENDPOINTS.observedPrices.response, DESK_ENDPOINTS.observedPrices.rows);

async function describe(reader: PriceReader, from: number, to: number, now = to): Promise<DeskObservedPrices> {
  const query = {
    product_id: '7',
    begin_time: new Date(from).toISOString(),
    end_time: new Date(to).toISOString(),
  };
  return parser.strict(await describeObservedPrices(reader, Object.entries(query), now));
}

/** Returns the price at an instant by the description; undefined in a gap. */
function priceAt({ prices, gaps }: DeskObservedPrices, instant: number): number | null | undefined {
  if (gaps.some(({ from, to }) => Date.parse(from) < instant && instant < Date.parse(to))) return undefined;
  return prices.findLast(({ read_at: at }) => Date.parse(at) <= instant)?.last_price as number | null | undefined;
}

it('gives at every instant of a period the price of the last reading, and none where there was no reading', async () => {
  await fc.assert(
    fc.asyncProperty(minutes, fc.nat(MINUTES - 2), async (shown, begin) => {
      const reader = await record(shown);
      const [from, to] = [FIRST_AT + begin * MINUTE, FIRST_AT + MINUTES * MINUTE];
      const described = await describe(reader, from, to);
      for (let instant = from; instant < to; instant += MINUTE) {
        const found = await reader.at(instant);
        const next = shown.findIndex((each, minute) => each !== 'unread' && FIRST_AT + minute * MINUTE > instant);
        const nextAt = next === -1 ? to : FIRST_AT + next * MINUTE;
        const isRead = found !== null && (found.readAt === instant || nextAt - found.readAt <= reader.maxAgeMs);
        const row = found?.prices.get('7');
        const expected = row === undefined ? null : Number(fieldOf(row, 'last_price'));
        expect(priceAt(described, instant)).toBe(isRead ? expected : undefined);
      }
      await reader.close();
    }),
    { numRuns: 60 },
  );
}, 60_000);

it('describes a period that is not over until now, and says why there is nothing', async () => {
  const reader = await record([100, 101, 101]);
  const to = FIRST_AT + 60 * MINUTE;
  expect(await describe(reader, FIRST_AT, to, FIRST_AT + 3 * MINUTE)).toMatchObject({
    ...{ read_to: '2026-11-20T00:02:00.000Z', every_seconds: 60, missing: null, gaps: [] },
    prices: [
      { read_at: '2026-11-20T00:00:00.000Z', last_price: 100 },
      { read_at: '2026-11-20T00:01:00.000Z', last_price: 101 },
    ],
  });
  const empty = await describe(reader, FIRST_AT - 10 * MINUTE, FIRST_AT - 5 * MINUTE);
  expect([empty.missing, empty.prices]).toEqual([
    'Market prices were not recorded at 2026-11-19T23:55:00.000Z: their record begins at 2026-11-20T00:00:00.000Z.',
    [],
  ]);
  await reader.close();
});

it('refuses a period that ends before it begins, or is too long', async () => {
  const reader = await record([100]);
  for (const to of [FIRST_AT, FIRST_AT + 97 * 60 * MINUTE])
    await expect(describe(reader, FIRST_AT, to)).rejects.toThrow('by at most 96 hours');
  await reader.close();
});
