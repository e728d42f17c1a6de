import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { ALONE } from '#testing/server-store/alone.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import { packStretch } from '../pack-stretch.ts';
import { createPriceStore } from './price-store.ts';
import { createPriceReader } from './read-prices.ts';
import { createPriceRecorder, type PriceRecorder } from './record-prices.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const FIRST_AT = Date.parse('2026-11-20T00:00:00Z');

interface Listed {
  readonly last: number | null;
  readonly settlement: number | null;
}
/** The products that a reading lists. */
type Reading = Readonly<Record<string, Listed>>;

const reading: fc.Arbitrary<Reading> = fc.dictionary(
  fc.constantFrom('1', '22', '1005'),
  fc.record({
    last: fc.option(fc.integer({ min: -2, max: 2 })),
    settlement: fc.option(fc.constantFrom(1, 2.5)),
  }),
);

function toText(listed: Reading, at: number): string {
  const time = JSON.stringify(new Date(at).toISOString());
  const rows = Object.entries(listed).map(
    ([id, { last, settlement }]) =>
      `{"product_id":${id},"last_price_time":${last === null ? 'null' : time},"last_price":${String(last)},` +
      `"settlement_time":null,"settlement_price":${String(settlement)},"volume":${String(at)},"high_price":2,` +
      '"low_price":-2}',
  );
  return `[${rows.join(',')}]`;
}

/** Returns the texts of the two prices of each product. */
function toPairs(prices: ReadonlyMap<string, string>): readonly (readonly [string, ...(string | undefined)[]])[] {
  return [...prices]
    .map(([id, row]) => [id, fieldOf(row, 'last_price'), fieldOf(row, 'settlement_price')] as const)
    .sort(([a], [b]) => Number(a) - Number(b));
}

function toNaive(listed: Reading): ReturnType<typeof toPairs> {
  return Object.entries(listed)
    .map(([id, { last, settlement }]) => [id, String(last), String(settlement)] as const)
    .sort(([a], [b]) => Number(a) - Number(b));
}

function openRecorder(store: TestStore, keptMs = 90 * DAY, now = () => FIRST_AT): PriceRecorder {
  return createPriceRecorder({
    store: createPriceStore(store, 'exchange'),
    lease: ALONE,
    pack: packStretch,
    keptMs,
    now,
  });
}

describe('the record of market prices', () => {
  it('gives the prices of any instant as the readings showed them, sealed or not, and after restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ listed: reading, restarts: fc.boolean() }), { minLength: 1, maxLength: 12 }),
        // Readings in between that show nothing new, so that some records are sealed.
        fc.constantFrom(1, 45, 241),
        async (steps, repeated) => {
          const store = await openTestStore();
          const other = createPriceStore(store, 'another exchange');
          await other.append({ at: FIRST_AT, changes: [] });
          let recorder = openRecorder(store);
          const readings: { readonly at: number; readonly listed: Reading }[] = [];
          for (const { listed, restarts } of steps) {
            if (restarts) recorder = openRecorder(store);
            for (let time = 0; time < repeated; time++) {
              const at = FIRST_AT + readings.length * MINUTE;
              await recorder.record(toText(listed, at), at);
              readings.push({ at, listed });
            }
          }
          const reader = createPriceReader(createPriceStore(store, 'exchange'), 60);
          expect(await reader.keptFrom()).toBe(FIRST_AT);
          expect(await reader.at(FIRST_AT - 1)).toBeNull();
          const looked = readings.filter((_, place) => place % repeated === 0 || place % 239 === 0).slice(0, 30);
          for (const { at, listed } of looked) {
            const found = await reader.at(at + MINUTE / 2);
            expect(found?.readAt).toBe(at);
            expect(toPairs(found?.prices ?? new Map())).toEqual(toNaive(listed));
          }
          const [first, last] = [readings[Math.floor(readings.length / 3)], readings.at(-2)];
          const passed: number[] = [];
          for await (const { at } of reader.between(first?.at ?? 0, last?.at ?? 0)) passed.push(at);
          expect(passed).toEqual(
            readings.map(({ at }) => at).filter((at) => at > (first?.at ?? 0) && at <= (last?.at ?? 0)),
          );
          await store.close();
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('drops what is older than it is kept, and goes on with the prices of now', async () => {
    const store = await openTestStore();
    const recorder = openRecorder(store, DAY, () => FIRST_AT + 3 * DAY);
    const listed = { 1: { last: 2, settlement: null } };
    // Every five minutes, 240 of which are one segment.
    const times = Array.from({ length: 864 }, (_, place) => FIRST_AT + place * 5 * MINUTE);
    for (const at of times) await recorder.record(toText(listed, at), at);
    const reader = createPriceReader(createPriceStore(store, 'exchange'), 300);
    expect(await reader.keptFrom()).toBe(times[480]);
    expect(await reader.at((times[480] ?? 0) - 1)).toBeNull();
    const last = await reader.at(times.at(-1) ?? 0);
    expect([last?.readAt, toPairs(last?.prices ?? new Map())]).toEqual([times.at(-1), [['1', '2', 'null']]]);
    expect(await store.query('SELECT count(*) FROM price_block')).toEqual([[1]]);
  });

  it('shows in the next reading what could not be written, and records an old reading not at all', async () => {
    const store = await openTestStore();
    const recorder = openRecorder(store);
    const reader = createPriceReader(createPriceStore(store, 'exchange'), 60);
    const record = (last: number, minute: number): Promise<void> =>
      recorder.record(toText({ 1: { last, settlement: null } }, FIRST_AT), FIRST_AT + minute * MINUTE);
    await record(1, 0);
    await store.stopWrites();
    await record(2, 1);
    await store.allowWrites();
    await record(2, 3);
    await record(0, 2);
    const found = await Promise.all([1, 2, 3].map((minute) => reader.at(FIRST_AT + minute * MINUTE)));
    expect(found.map((prices) => [prices?.readAt, toPairs(prices?.prices ?? new Map())[0]?.[1]])).toEqual([
      [FIRST_AT, '1'],
      [FIRST_AT, '1'],
      [FIRST_AT + 3 * MINUTE, '2'],
    ]);
  });

  it('is written by the leader alone, which goes on where the one before it stopped', async () => {
    const store = await openTestStore();
    const leads = [true, false];
    let epoch = 1;
    const recorders = leads.map((_, desk) =>
      createPriceRecorder({
        store: createPriceStore(store, 'exchange'),
        lease: { isHeld: () => leads[desk] === true, epoch: () => epoch },
        pack: packStretch,
        keptMs: DAY,
        now: () => FIRST_AT,
      }),
    );
    const reader = createPriceReader(createPriceStore(store, 'exchange'), 60);
    const record = async (minute: number, last: number): Promise<void> => {
      const at = FIRST_AT + minute * MINUTE;
      for (const recorder of recorders) await recorder.record(toText({ 1: { last, settlement: null } }, at), at);
    };
    await record(0, 1);
    await record(1, 2);
    [leads[0], leads[1], epoch] = [false, true, 2];
    await record(2, 2);
    [leads[0], leads[1], epoch] = [true, false, 3];
    await record(3, 1);
    const changes: (readonly [minute: number, kinds: readonly string[]])[] = [];
    for await (const reading of reader.between(0, FIRST_AT + DAY))
      changes.push([(reading.at - FIRST_AT) / MINUTE, reading.changes.map(({ kind }) => kind)]);
    expect(changes).toEqual([
      [0, ['seen']],
      [1, ['changed']],
      [2, []],
      [3, ['changed']],
    ]);
  });

  it.each([
    [71, 8, 250_000],
    [700, 2, 3_000_000],
  ])('takes few bytes a day for %i products, a third of which trade each minute', async (products, hours, most) => {
    const store = await openTestStore();
    const recorder = openRecorder(store);
    const random = createRandom();
    const market = Array.from({ length: products }, () => ({
      last: Math.round(1_000 + random() * 100_000),
      share: random() ** 2,
      at: FIRST_AT,
    }));
    for (let minute = 0; minute < hours * 60; minute++) {
      const at = FIRST_AT + minute * MINUTE;
      for (const product of market.filter(({ share }) => random() < share)) {
        product.last += Math.round((random() + random() - 1) * 60);
        product.at = at - random() * MINUTE;
      }
      await recorder.record(toDataText(market, random), at);
    }
    const [[packed, from, to] = []] = await store.query(
      `SELECT (SELECT sum(length(content)) FROM price_block) + sum(length(times)), min(from_at), max(to_at)
        FROM price_segment`,
    );
    const bytesADay = Math.round((Number(packed) / (Number(to) - Number(from))) * DAY);
    console.info(`${String(products)} products: ${String(bytesADay)} bytes a day`);
    expect(bytesADay).toBeLessThan(most);
  });
});

/** Returns numbers from 0 to 1 that look random, and are the same in each test. */
function createRandom(): () => number {
  let seed = 1;
  return () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

function toDataText(market: readonly { readonly last: number; readonly at: number }[], random: () => number): string {
  const rows = market.map(({ last, at }, place) => {
    const nanos = String(Math.floor(random() * 1_000_000)).padStart(6, '0');
    return (
      `{"product_id":${String(1_000 + place)},"last_price_time":"${new Date(at).toISOString().slice(0, -1)}${nanos}Z",` +
      `"last_price":${String(last)},"settlement_time":"2026-11-19T21:00:00Z","settlement_price":${String(place * 7)},` +
      `"high_price":${String(last - (last % 300) + 300)},"low_price":${String(last - (last % 300))}}`
    );
  });
  return `[${rows.join(',')}]`;
}
