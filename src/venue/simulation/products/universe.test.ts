import { describe, expect, it } from 'vitest';
import type { Micros, Product } from '../../core/model.ts';
import { isListed } from '../market-setup.ts';
import { isDormant } from './dated-products.ts';
import { NEW_LAUNCH_ID, ODD_SCALE_ID } from './perpetuals.ts';
import { createPrices } from '../prices.ts';
import { createUniverse } from './universe.ts';

const DAY = 86_400_000_000;
const GENESIS = Date.parse('2026-08-17T12:00:00Z') * 1000;

function universeAt(genesis: Micros, historyDays = 730) {
  const products = new Map<number, Product>();
  const { spot } = createPrices({ seed: 7, products });
  const universe = createUniverse(products, { genesis, historyStart: genesis - historyDays * DAY, spot });
  universe.extend(genesis);
  return { ...universe, active: (time: Micros) => [...products.values()].filter((product) => isListed(product, time)) };
}

describe('createUniverse', () => {
  it('has 71 active products at every instant of two years and the year after', () => {
    const universe = universeAt(GENESIS);
    universe.extend(GENESIS + 365 * DAY);
    // The newest perpetual is launched days before the genesis.
    for (let day = -720; day < -6; day += 9) expect(universe.active(GENESIS + day * DAY)).toHaveLength(70);
    for (let day = 0; day < 365; day += 5) expect(universe.active(GENESIS + day * DAY)).toHaveLength(71);
  });

  it('lists three quarterly and three monthly contracts of each series, and the spreads between neighbours', () => {
    const active = universeAt(GENESIS).active(GENESIS);
    const symbols = (base: string, kind: Product['kind']): string[] =>
      active.filter((product) => product.baseSymbol === base && product.kind === kind).map(({ symbol }) => symbol);
    expect(symbols('ETUD', 'future').sort()).toEqual([
      'ETUDH27',
      'ETUDQ26',
      'ETUDU26',
      'ETUDV26',
      'ETUDX26',
      'ETUDZ26',
    ]);
    expect(symbols('ETUD', 'spread').sort()).toEqual([
      'ETUDQ26-ETUDV26',
      'ETUDU26-ETUDZ26',
      'ETUDV26-ETUDX26',
      'ETUDZ26-ETUDH27',
    ]);
    expect(symbols('BUS', 'option')).toHaveLength(14);
  });

  it('has unique ids and symbols', () => {
    const universe = universeAt(GENESIS);
    const all = [...universe.products.values()];
    expect(new Set(all.map(({ symbol }) => symbol)).size).toBe(all.length);
    for (const [id, product] of universe.products) expect(product.id).toBe(id);
  });

  it('keeps expired products, and all legs and underlyings', () => {
    const universe = universeAt(GENESIS);
    const all = [...universe.products.values()];
    expect(all.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= GENESIS).length).toBeGreaterThan(100);
    for (const { legs = [], underlyingId } of all) {
      for (const { productId } of legs) expect(universe.products.has(productId)).toBe(true);
      if (underlyingId !== undefined) expect(universe.products.has(underlyingId)).toBe(true);
    }
  });

  it('has the same fields of a product, whenever they are computed', () => {
    const early = universeAt(GENESIS);
    early.extend(GENESIS + 300 * DAY);
    const late = universeAt(GENESIS + 300 * DAY, 400);
    const dated = [...late.products.values()].filter(({ kind }) => kind !== 'perpetual');
    expect(dated.length).toBeGreaterThan(100);
    for (const product of dated) expect(early.products.get(product.id)).toEqual(product);
  });

  it('announces a contract a week before it is listed, when the one before it in its cycle expires', () => {
    const universe = universeAt(GENESIS);
    const expiry = Date.parse('2026-08-28T21:00:00Z') * 1000;
    expect(universe.extend(expiry - 7 * DAY - 1)).toEqual([]);
    const added = universe.extend(expiry - 7 * DAY);
    expect(added.map(({ symbol }) => symbol)).toContain('BUSF27');
    expect(added.every(({ listedAt }) => listedAt === expiry)).toBe(true);
  });

  it('has a new perpetual, one whose tick size is 1000 times too large, and an option that nobody trades', () => {
    const { products, active } = universeAt(GENESIS);
    const launched = products.get(NEW_LAUNCH_ID)?.listedAt ?? 0;
    expect(launched).toBeGreaterThan(GENESIS - 7 * DAY);
    expect(launched).toBeLessThan(GENESIS - 3 * DAY);
    const odd = products.get(ODD_SCALE_ID);
    expect(odd?.tickE10).toBe(20n);
    expect(odd?.publishedIncrement).toBe(0.000002);
    expect(active(GENESIS).filter(isDormant)).toHaveLength(1);
  });
});
