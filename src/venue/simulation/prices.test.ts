import { describe, expect, it } from 'vitest';
import type { Product } from '../core/model.ts';
import { createPrices, priceOption } from './prices.ts';
import { UNDERLYINGS } from './products/underlyings.ts';
import { createUniverse } from './products/universe.ts';

const DAY = 86_400_000_000;
const NOW = Date.parse('2026-08-17T12:00:00Z') * 1000;

function pricesOf(seed: number) {
  const products = new Map<number, Product>();
  const prices = createPrices({ seed, products });
  createUniverse(products, { genesis: NOW, historyStart: NOW - 30 * DAY, spot: prices.spot }).extend(NOW);
  const named = (symbol: string): Product => {
    const product = [...products.values()].find((one) => one.symbol === symbol);
    if (product === undefined) throw new Error(`no ${symbol}`);
    return product;
  };
  return { ...prices, named, products };
}

describe('createPrices', () => {
  it('has the same prices for the same seed, and others for another seed', () => {
    expect(pricesOf(7).spot('BTC', NOW)).toBe(pricesOf(7).spot('BTC', NOW));
    expect(pricesOf(8).spot('BTC', NOW)).not.toBe(pricesOf(7).spot('BTC', NOW));
  });

  it('keeps every underlying within a factor of three of its usual price over two years', () => {
    const { spot } = pricesOf(7);
    for (const { unit, usd } of UNDERLYINGS.values()) {
      for (let day = 0; day < 730; day += 5) {
        const price = spot(unit, NOW - day * DAY);
        expect(price / usd).toBeGreaterThan(0.25);
        expect(price / usd).toBeLessThan(4);
      }
    }
  });

  it('keeps a perpetual within a percent of its index', () => {
    const { fair, index, products } = pricesOf(7);
    for (const product of products.values()) {
      if (product.kind !== 'perpetual') continue;
      for (let hour = 0; hour < 200; hour++) {
        const time = NOW - hour * 3_600_000_000;
        expect(Math.abs(fair(product, time) / index(product, time) - 1)).toBeLessThan(0.01);
      }
    }
  });

  it('prices a spread as the difference of its legs, sign included', () => {
    const { fair, named } = pricesOf(7);
    const spread = fair(named('BUSU26-BUSZ26'), NOW);
    expect(spread).toBeCloseTo(fair(named('BUSU26'), NOW) - fair(named('BUSZ26'), NOW), 6);
    expect(spread).toBeLessThan(0);
  });

  it('equals the spot price for a future at its expiry', () => {
    const { fair, spot, named } = pricesOf(7);
    const future = named('SOUHQ26');
    const end = future.expiresAt ?? 0;
    expect(fair(future, end) * (Number(future.tickE10) / 1e10)).toBeCloseTo(spot('SOL', end), 6);
  });

  it('keeps put-call parity', () => {
    const { fair, named, products } = pricesOf(7);
    const options = [...products.values()].filter(({ kind, expiresAt }) => kind === 'option' && (expiresAt ?? 0) > NOW);
    const future = fair(named('BUSU26'), NOW);
    const pairs = Map.groupBy(options, ({ strikeTicks }) => strikeTicks);
    expect(pairs.size).toBe(7);
    for (const [strike = 0, pair] of pairs) {
      const worth = (type: string): number => {
        const option = pair.find(({ optionType }) => optionType === type);
        return option === undefined ? Number.NaN : fair(option, NOW);
      };
      // A worthless option still costs a tick.
      expect(Math.abs(worth('call') - worth('put') - (future - strike))).toBeLessThan(1.01);
    }
  });
});

describe('priceOption', () => {
  it('agrees with a table of the normal distribution', () => {
    // At the money, over four months at 30 %: d1 = 0.0866, of which the table has 0.53450.
    expect(priceOption({ type: 'call', forward: 60, strike: 60, years: 1 / 3, volatility: 0.3 })).toBeCloseTo(
      60 * 0.069,
      2,
    );
  });

  it('is the intrinsic value at expiry', () => {
    expect(priceOption({ type: 'put', forward: 90, strike: 100, years: 0, volatility: 0.5 })).toBe(10);
    expect(priceOption({ type: 'call', forward: 90, strike: 100, years: 0, volatility: 0.5 })).toBe(0);
  });
});
