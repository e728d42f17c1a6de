import { describe, expect, it } from 'vitest';
import { micros, openTestSimulation } from '#testing/simulation/open-test-simulation.ts';
import { sessionAt } from '../market/calendar.ts';
import { firstFundingWindow } from '../market/funding.ts';

const HOUR = 3_600_000_000;
const BTC = 5614;

describe.each(['2026-08-19T20:30:00Z', '2026-08-19T03:00:00Z', '2026-03-09T21:30:00Z'])(
  'an exchange begun at %s',
  (start) => {
    const open = () => openTestSimulation({ start, historyDays: 2, orders: 0, working: 0, frozen: true });

    it('has a rate of each perpetual for the first whole interval since its listing', async () => {
      const { exchange, products } = await open();
      const perpetuals = [...products.values()].filter(({ kind }) => kind === 'perpetual');
      const productIds = perpetuals.map(({ id }) => id);
      const query = { productIds, from: 0, until: micros(start), direction: 'asc', limit: 1_000 } as const;
      const rates = await exchange.funding(query);
      for (const { id, listedAt } of perpetuals) {
        const first = rates.find(({ productId }) => productId === id);
        expect(first?.start).toBe(firstFundingWindow(listedAt).start);
      }
    });

    it('traded a perpetual from its listing on: the first price row is complete', async () => {
      const { store, products } = await open();
      const { trades = [] } = (await store.load(0)) ?? {};
      const listedAt = products.get(BTC)?.listedAt ?? 0;
      const first = trades.find(({ productId }) => productId === BTC)?.time ?? 0;
      expect(listedAt).toBe(sessionAt('daily', listedAt).open);
      expect(first).toBeLessThan(listedAt + HOUR);
    });
  },
);
