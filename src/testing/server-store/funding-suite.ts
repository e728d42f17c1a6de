import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF } from '#server/core/ports.ts';
import { type PrintDeps, updatePrints } from '#server/readings/funding/update-settled-rates.ts';
import type { TestStore } from './test-store.ts';
import { createFundingStore, type FundingStore } from '#server/readings/funding/funding-store.ts';
import type { NewLocation } from './store-location.ts';

const endAt = (hour: number): string => `2026-08-17T${String(hour).padStart(2, '0')}:00:00.000000000Z`;
const print = (hour: number, text: string) => ({ endAt: endAt(hour), text });
const everything = { from: '', after: null, limit: 99 };

async function textsOf(store: FundingStore, productId = 1): Promise<readonly string[]> {
  return (await store.read(productId, everything)).map(({ text }) => text);
}

interface Rate {
  readonly interval_start: string;
  readonly interval_end: string;
  readonly funding_rate: number;
}

/** Returns rates of successive intervals, of which the exchange lists some twice, with two values. */
function toRates(doubled: readonly boolean[]): readonly Rate[] {
  return doubled.flatMap((isDoubled, hour) => {
    const [start, end] = [endAt(hour), endAt(hour + 1)];
    const rates = isDoubled ? [hour, hour + 0.5] : [hour];
    return rates.map((rate) => ({
      ...{ product_id: 1, price_index: 101234.5, mark_price: 101240.5, interest_rate: 0.0001 },
      ...{ funding_rate: rate / 1e4, interval_start: start, interval_end: end },
    }));
  });
}

/** Has a desk read all rates, three a page. `wait` lets others go on before each page. */
function readAll(database: TestStore, rates: readonly Rate[], wait: () => Promise<void>): Promise<boolean> {
  const deps: PrintDeps = {
    store: createFundingStore(database, 'venue'),
    fetchPage: async ({ beginTime, cursor }) => {
      await wait();
      const from = cursor === null ? 0 : Number(cursor);
      const found = rates.filter(({ interval_end: end }) => end >= beginTime);
      const next = from + 3 < found.length ? String(from + 3) : null;
      const text = JSON.stringify({ data: found.slice(from, from + 3), pagination: { cursor: next } });
      return { body: createBody([Buffer.from(text)]), contentType: 'application/json', respondedAt: 0, tag: '"t"' };
    },
    toCheck: () => () => ({ leftOut: new Map(), sorted: null, ofList: [] }),
    now: () => 0,
    venueNow: () => Date.parse('2026-09-01T00:00:00Z'),
    onPrints: () => Promise.resolve(),
  };
  return updatePrints(deps, { productId: 1, baseSymbol: 'BTCUC' }, { purpose: 'history', payers: DESK_ITSELF });
}

export function fundingSuite(newPlace: NewLocation): void {
  const open = async () => createFundingStore(await (await newPlace()).open(), 'venue');

  describe('stored funding', () => {
    it('survives a restart as it was received, each perpetual and each exchange apart', async () => {
      const place = await newPlace();
      const before = await place.open();
      const store = createFundingStore(before, 'venue');
      await store.append(1, [print(0, '{"funding_rate":1.50e-4}'), print(8, '{"a":"ä"}')]);
      await store.append(2, [print(8, 'other')]);
      await createFundingStore(before, 'elsewhere').append(1, [print(8, 'elsewhere')]);
      await store.recordRead({ productId: 2, baseSymbol: 'ETHUI' }, 1_700_000_000_000);
      await store.recordRead({ productId: 1, baseSymbol: 'BTC' }, 1_700_000_000_001);
      await store.recordRead({ productId: 1, baseSymbol: 'BTCUC' }, 1_700_000_000_002);
      await before.close();
      const after = createFundingStore(await place.open(), 'venue');
      expect(await textsOf(after)).toEqual(['{"a":"ä"}', '{"funding_rate":1.50e-4}']);
      expect(await after.list()).toEqual([
        {
          productId: 1,
          baseSymbol: 'BTCUC',
          prints: 2,
          leftOut: 0,
          reads: 2,
          lastReadAt: 1_700_000_000_002,
          revised: null,
        },
        {
          productId: 2,
          baseSymbol: 'ETHUI',
          prints: 1,
          leftOut: 0,
          reads: 1,
          lastReadAt: 1_700_000_000_000,
          revised: null,
        },
      ]);
    });

    it('keeps several prints of one instant in their order, over pages', async () => {
      const store = await open();
      await store.append(1, [print(0, 'a'), print(8, 'b'), print(8, 'c')]);
      await store.append(1, [print(8, 'd'), print(16, 'e')]);
      expect(await textsOf(store)).toEqual(['e', 'd', 'c', 'b', 'a']);
      const [first, second] = await store.read(1, { ...everything, limit: 2 });
      expect([first, second]).toEqual([
        { endAt: endAt(16), place: 0, text: 'e' },
        { endAt: endAt(8), place: 2, text: 'd' },
      ]);
      expect(
        (await store.read(1, { from: endAt(8), after: second ?? null, limit: 9 })).map(({ text }) => text),
      ).toEqual(['c', 'b']);
      expect((await store.view(({ oldest }) => oldest(1)))?.text).toBe('a');
    });

    it('is replaced from the earliest new print on, or altogether', async () => {
      const store = await open();
      await store.append(1, [print(0, 'a'), print(8, 'b'), print(16, 'c')]);
      await store.replace(1, [print(16, 'C'), print(8, 'B')]);
      expect(await textsOf(store)).toEqual(['C', 'B', 'a']);
      await store.replace(1, []);
      expect(await textsOf(store)).toHaveLength(3);
      await store.replaceAll(1, [print(23, 'z')]);
      expect(await textsOf(store)).toEqual(['z']);
    });

    it('sorts prints without a date before all others', async () => {
      const store = await open();
      await store.append(1, [{ endAt: '', text: 'undated' }, print(8, 'dated')]);
      expect(await textsOf(store)).toEqual(['dated', 'undated']);
      await store.replaceAll(1, [print(8, 'dated')]);
      expect(await textsOf(store)).toEqual(['dated']);
    });

    it('counts distinct rows that were left out, however long they are', async () => {
      const store = await open();
      const long = 'x'.repeat(20_000);
      await store.recordLeftOut(1, endAt(0), [
        print(0, 'a'),
        print(0, 'a'),
        print(8, 'b'),
        print(8, `${long}1`),
        print(8, `${long}2`),
      ]);
      await store.recordLeftOut(1, null, [print(8, 'b'), print(8, `${long}1`), print(16, 'c')]);
      await store.recordLeftOut(1, null, []);
      await store.recordRead({ productId: 1, baseSymbol: 'BTCUC' }, 1);
      const countLeftOut = async () => (await store.list())[0]?.leftOut;
      expect(await countLeftOut()).toBe(5);
      await store.recordLeftOut(1, endAt(8), []);
      expect(await countLeftOut()).toBe(1);
    });

    it('is unchanged by a change that fails, which says what to do', async () => {
      const disk = await (await newPlace()).open();
      const store = createFundingStore(disk, 'venue');
      await store.append(1, [print(0, 'a'), print(8, 'b')]);
      await disk.stopWrites();
      await expect(store.replaceAll(1, [print(8, 'z')])).rejects.toMatchObject({
        problem: { type: 'desk-cannot-write' },
      });
      expect(await textsOf(store)).toEqual(['b', 'a']);
    });

    it('is seen as of one moment by reads that belong together', async () => {
      const store = await open();
      await store.append(1, [print(0, 'a'), print(8, 'b')]);
      const [seen] = await Promise.all([
        store.view(function* ({ prints }) {
          const before = yield* prints(1, everything);
          return [before, yield* prints(1, everything)];
        }),
        store.replaceAll(1, [print(8, 'z')]),
      ]);
      expect(seen[0]).toEqual(seen[1]);
    });

    it('has each rate once, in order, however many desks read it at the same moment', async () => {
      const database = await (await newPlace()).open();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
          fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
          async (doubled, turns) => {
            await database.driver.write([{ name: 'empty prints', sql: 'DELETE FROM funding_print', values: [] }]);
            const rates = toRates(doubled);
            let turn = 0;
            const wait = async (): Promise<void> => {
              for (let left = turns[turn++ % turns.length] ?? 0; left > 0; left--) await new Promise(setImmediate);
            };
            await Promise.all([1, 2, 3].map(() => readAll(database, rates, wait)));
            expect(await textsOf(createFundingStore(database, 'venue'))).toEqual(
              rates.map((rate) => JSON.stringify(rate)).toReversed(),
            );
          },
        ),
        { numRuns: 20 },
      );
    });
  });
}
