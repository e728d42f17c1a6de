import { hashText, mix } from '../core/random.ts';
import type { Micros, Product } from '../core/model.ts';
import { atLeastOneTick } from './products/activity.ts';
import { type Underlying, UNDERLYINGS } from './products/underlyings.ts';

/** A random walk as a pure function of time: instants can be evaluated in any order. */
type Noise = (seconds: number) => number;

interface NoiseShape {
  /** The longest and the shortest period, in seconds. */
  readonly longest: number;
  readonly shortest: number;
  /** The standard deviation of the change over one second. */
  readonly perRootSecond: number;
}

/** The factor that makes the sum of the octaves change by `perRootSecond` x sqrt(time), as a random walk does. */
const WALK_SCALE = 0.46;

/**
 * Creates a sum of octaves with halving periods. The nodes of an octave are random by a hash of their position.
 *
 * @internal Exported for its test.
 */
export function createNoise(seed: number, name: string, { longest, shortest, perRootSecond }: NoiseShape): Noise {
  const octaves: Noise[] = [];
  for (let period = longest; period >= shortest; period /= 2) {
    octaves.push(
      createOctave(mix(seed) ^ hashText(`${name}/${period}`), period, WALK_SCALE * perRootSecond * Math.sqrt(period)),
    );
  }
  return (seconds) => {
    let sum = 0;
    for (const octave of octaves) sum += octave(seconds);
    return sum;
  };
}

function createOctave(salt: number, period: number, amplitude: number): Noise {
  let cell = Number.NaN;
  let left = 0;
  let right = 0;
  return (seconds) => {
    const place = seconds / period;
    const at = Math.floor(place);
    if (at !== cell) {
      left = amplitude * deviate(salt, at);
      right = amplitude * deviate(salt, at + 1);
      cell = at;
    }
    return left + (right - left) * (place - at);
  };
}

/**
 * Returns a deviate with standard deviation 1. It is triangular, as the sum of two uniform numbers; the sum of the
 * octaves is nearly normal.
 */
function deviate(salt: number, at: number): number {
  const bits = mix(mix(at ^ salt) + salt);
  return ((bits & 0xffff) + (bits >>> 16) - 0xffff) * (Math.sqrt(6) / 0xffff);
}

interface OptionTerms {
  readonly type: 'call' | 'put';
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  readonly volatility: number;
}

/**
 * Prices an option on a future by Black's formula, without discounting because margin is paid daily.
 *
 * @internal Exported for its test.
 */
export function priceOption({ type, forward, strike, years, volatility }: OptionTerms): number {
  const intrinsic = Math.max(0, type === 'call' ? forward - strike : strike - forward);
  const deviation = volatility * Math.sqrt(years);
  if (deviation <= 0) return intrinsic;
  const d1 = Math.log(forward / strike) / deviation + deviation / 2;
  const call = forward * normalCdf(d1) - strike * normalCdf(d1 - deviation);
  return Math.max(intrinsic, type === 'call' ? call : call - forward + strike);
}

/**
 * Returns the standard normal distribution function, by the rational approximation 26.2.17 of Abramowitz and Stegun.
 */
function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const above = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * tail;
  return x >= 0 ? 1 - above : above;
}

const SECOND = 1_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const MARKET_VOLATILITY = 0.42;

/** Fair prices. They are a function of seed and time, so past prices need not be stored. */
export interface Prices {
  /** Returns the price of an underlying in USD per unit. */
  readonly spot: (unit: string, time: Micros) => number;
  /** Returns the spot index, in ticks of the product. */
  readonly index: (product: Product, time: Micros) => number;
  /** Returns the fair price in ticks, with fractions. */
  readonly fair: (product: Product, time: Micros) => number;
}

export interface PricesContext {
  readonly seed: number;
  readonly products: ReadonlyMap<number, Product>;
  /** Whether to interpolate between hourly values, as for years of history. */
  readonly coarse?: boolean;
}

/** Creates prices from correlated random walks with changing volatility. */
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

/** Returns the value of a tick in USD. */
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

/** Creates a random walk with a yearly volatility, in which calm and volatile days alternate. */
function createWalk(seed: number, name: string, volatility: number): Noise {
  const perRootSecond = volatility / Math.sqrt(YEAR);
  const slow = createNoise(seed, `${name}/slow`, { longest: 256 * DAY, shortest: 4 * DAY, perRootSecond });
  const fast = createNoise(seed, `${name}/fast`, { longest: 2 * DAY, shortest: 15, perRootSecond });
  const calm = createNoise(seed, `${name}/calm`, { longest: 64 * DAY, shortest: DAY, perRootSecond: 2.3e-4 });
  return (seconds) => slow(seconds) + Math.exp(calm(seconds)) * fast(seconds);
}
