import type { Account, Micros, Product } from '../core/model.ts';
import type { SavedState } from '../core/ports.ts';
import { hashText } from '../core/random.ts';
import { sessionAt } from '../market/calendar.ts';
import { createMatching, type Matching } from '../market/matching.ts';
import { createPrices, type Prices } from './prices.ts';
import { createUniverse, type Universe } from './products/universe.ts';

/** The settings from which the generated history follows. They are stored once and never change. */
export interface SeedSettings {
  readonly seed: number;
  /** When the exchange was first started. */
  readonly genesis: Micros;
  readonly historyDays: number;
  readonly orders: number;
  readonly working: number;
  /** The key that authenticates cursors. It is stored, so that they stay valid after a restart. */
  readonly cursorKey: string;
}

const NUMBERS = ['seed', 'genesis', 'historyDays', 'orders', 'working'] as const;
/** The fact that stores the time the market has reached. It is absent while the history is being generated. */
const REACHED = 'reached';

export function toFacts(settings: SeedSettings): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

export function reachedFact(time: Micros): Readonly<Record<string, string>> {
  return { [REACHED]: String(time) };
}

export function readReached({ facts }: SavedState): Micros | null {
  const text = facts[REACHED];
  return text === undefined ? null : Number(text);
}

export function readSeedSettings({ facts }: SavedState): SeedSettings {
  const [seed, genesis, historyDays, orders, working] = NUMBERS.map((name) => Number(facts[name]));
  const values = [seed, genesis, historyDays, orders, working];
  if (values.some((value) => !Number.isSafeInteger(value)))
    throw new Error(
      'The store holds no exchange, or one of another version. Choose another folder with DESK_DATA_DIR.',
    );
  return {
    seed: seed ?? 0,
    genesis: genesis ?? 0,
    historyDays: historyDays ?? 0,
    orders: orders ?? 0,
    working: working ?? 0,
    cursorKey: facts['cursorKey'] ?? '',
  };
}

const FIRMS = ['HALC', 'MERI', 'NORD'] as const;
const CONNECTIONS_PER_FIRM = 3;
const ACCOUNTS_PER_CONNECTION = 4;

/** Creates 36 accounts at three clearing firms, each of which has three connections. */
function makeAccounts(): readonly [Account, ...Account[]] {
  const [first, ...rest] = FIRMS.flatMap((firm) => accountsOf(firm));
  if (first === undefined) throw new RangeError('An exchange without accounts has no members.');
  return [first, ...rest];
}

function accountsOf(firm: string): Account[] {
  const count = CONNECTIONS_PER_FIRM * ACCOUNTS_PER_CONNECTION;
  return Array.from({ length: count }, (_, index) => ({
    id: `${firm}-${String(101 + index)}`,
    firm,
    connectionId: connectionIdOf(firm, Math.floor(index / ACCOUNTS_PER_CONNECTION)),
  }));
}

function connectionIdOf(firm: string, index: number): string {
  return hashText(`${firm}/connection/${index}`).toString(16).padStart(8, '0');
}

const DAY = 86_400_000_000;

/** The market at rest: the books, and everything that follows from the seed settings. */
export interface MarketSetup {
  readonly settings: SeedSettings;
  readonly products: ReadonlyMap<number, Product>;
  readonly universe: Universe;
  readonly prices: { readonly coarse: Prices; readonly exact: Prices };
  readonly accounts: readonly [Account, ...Account[]];
  readonly matching: Matching;
  readonly historyStart: Micros;
}

/**
 * Sets up the market and fills `products`, a map that it shares with the store, which is open before the settings can
 * be read from it.
 */
export function createMarketSetup(products: Map<number, Product>, settings: SeedSettings): MarketSetup {
  // History begins with a session: a product listed within one would lack earlier rates and a part of its candle.
  const historyStart = sessionAt('daily', settings.genesis - settings.historyDays * DAY).open;
  const exact = createPrices({ seed: settings.seed, products });
  const coarse = createPrices({ seed: settings.seed, products, coarse: true });
  return {
    settings,
    products,
    universe: createUniverse(products, { historyStart, genesis: settings.genesis, spot: exact.spot }),
    prices: { exact, coarse },
    accounts: makeAccounts(),
    matching: createMatching(products),
    historyStart,
  };
}

export function isListed({ listedAt, expiresAt }: Product, time: Micros): boolean {
  return listedAt <= time && (expiresAt === null || time < expiresAt);
}
