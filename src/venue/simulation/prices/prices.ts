import type { Micros, Product } from '../../core/model.ts';
import { priceOption } from './black.ts';
import { createNoise, type Noise } from './noise.ts';
import { atLeastOneTick } from '../products/activity.ts';
import { UNDERLYINGS, type Underlying } from '../products/underlyings.ts';

const SECOND = 1_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const MARKET_VOLATILITY = 0.42;

/** Fair prices. They are a function of seed and time, so past prices need not be stored. */
export interface Prices {
  /** USD per unit of the underlying. */
  readonly spot: (unit: string, time: Micros) => number;
  /** The spot index in ticks of the product. */
  readonly index: (product: Product, time: Micros) => number;
  /** The fair price in ticks, with fractions. */
  readonly fair: (product: Product, time: Micros) => number;
}

export interface PricesContext {
  readonly seed: number;
  readonly products: ReadonlyMap<number, Product>;
  /** Interpolates between hourly values, for years of history. */
  readonly coarse?: boolean;
}

/** Prices from correlated random walks with changing volatility. */
export function createPrices({ seed, products, coarse = false }: PricesContext): Prices {
  const market = createWalk(seed, 'market', MARKET_VOLATILITY);
  const spots = new Map([...UNDERLYINGS].map(([unit, underlying]) => [unit, spotOf(seed, underlying, market, coarse)]));
  const carry = createNoise(seed, 'carry', { longest: 64 * DAY, shortest: DAY, perRootSecond: 2.8e-5 });
  const premiums = new Map<number, Noise>();

  const spot: Prices['spot'] = (unit, time) => {
    const walk = spots.get(unit);
    if (walk === undefined) throw new RangeError(`no underlying "${unit}"`);
    return walk(time / SECOND);
  };
  const premium = (id: number, time: Micros): number => {
    const known = premiums.get(id);
    const noise = known ?? createNoise(seed, `premium/${id}`, { longest: 4 * DAY, shortest: 60, perRootSecond: 3e-6 });
    if (known === undefined) premiums.set(id, noise);
    return 0.0001 + noise(time / SECOND);
  };
  const toExpiry = ({ expiresAt }: Product, time: Micros): number =>
    Math.max(0, ((expiresAt ?? time) - time) / SECOND / YEAR);
  const forward = (product: Product, time: Micros): number =>
    spot(product.contractSizeUnit, time) * Math.exp((0.07 + carry(time / SECOND)) * toExpiry(product, time));
  const find = (id: number | undefined): Product => {
    const product = id === undefined ? undefined : products.get(id);
    if (product === undefined) throw new RangeError(`no product ${String(id)}`);
    return product;
  };

  const usd = (product: Product, time: Micros): number => {
    switch (product.kind) {
      case 'perpetual':
        return spot(product.contractSizeUnit, time) * (1 + premium(product.id, time));
      case 'future':
        return forward(product, time);
      case 'spread':
        return (product.legs ?? []).reduce((sum, leg) => sum + leg.weight * forward(find(leg.productId), time), 0);
      case 'option':
        return optionUsd(product, find(product.underlyingId), time);
    }
  };
  const optionUsd = (product: Product, underlying: Product, time: Micros): number =>
    priceOption({
      type: product.optionType ?? 'call',
      forward: forward(underlying, time),
      strike: (product.strikeTicks ?? 0) * tickUsd(underlying),
      years: toExpiry(product, time),
      volatility: (UNDERLYINGS.get(product.contractSizeUnit)?.volatility ?? 0.5) * 1.1,
    });
  return {
    spot,
    index: (product, time) => spot(product.contractSizeUnit, time) / tickUsd(product),
    fair: (product, time) => atLeastOneTick(product, usd(product, time) / tickUsd(product)),
  };
}

/** A tick in USD. */
function tickUsd({ tickE10 }: Product): number {
  return Number(tickE10) / 1e10;
}

function spotOf(seed: number, { unit, usd, volatility, beta }: Underlying, market: Noise, coarse: boolean): Noise {
  const own = Math.sqrt(Math.max(0.04, volatility ** 2 - (beta * MARKET_VOLATILITY) ** 2));
  const walk = createWalk(seed, unit, own);
  const spot: Noise = (seconds) => usd * Math.exp(beta * market(seconds) + walk(seconds));
  return coarse ? joinHours(spot) : spot;
}

function joinHours(exact: Noise): Noise {
  const hours = new Map<number, number>();
  const at = (hour: number): number => {
    const known = hours.get(hour);
    if (known !== undefined) return known;
    const value = exact(hour * HOUR);
    hours.set(hour, value);
    return value;
  };
  return (seconds) => {
    const hour = Math.floor(seconds / HOUR);
    const left = at(hour);
    return left + (at(hour + 1) - left) * (seconds / HOUR - hour);
  };
}

/** A random walk of yearly volatility, with calm and volatile days. */
function createWalk(seed: number, name: string, volatility: number): Noise {
  const perRootSecond = volatility / Math.sqrt(YEAR);
  const slow = createNoise(seed, `${name}/slow`, { longest: 256 * DAY, shortest: 4 * DAY, perRootSecond });
  const fast = createNoise(seed, `${name}/fast`, { longest: 2 * DAY, shortest: 15, perRootSecond });
  const calm = createNoise(seed, `${name}/calm`, { longest: 64 * DAY, shortest: DAY, perRootSecond: 2.3e-4 });
  return (seconds) => slow(seconds) + Math.exp(calm(seconds)) * fast(seconds);
}
