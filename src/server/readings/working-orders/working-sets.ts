import { PRODUCT_TYPES, WORKING_ORDERS_LIMIT_TEXT } from '#contract/exchange/order.ts';
import type { RowCheck, RowFindings } from '#contract/parse/row-check.ts';
import { splitList } from '#contract/parse/json-split.ts';
import {
  isMoreUrgent,
  type Provenance,
  provenanceOf,
  type RateLimiterState,
  type ReadOptions,
  type Served,
} from '#server/core/ports.ts';
import { parseList, type Row } from '#server/core/rows.ts';
import { budgetSpent, isProblemOf, type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import type { ReadDirectory } from '../products/product-directory.ts';
import { createSingleFlight } from '#server/proxy/reader.ts';
import { setBounded } from '#server/core/maps.ts';

export type Filter = Readonly<Record<string, string>>;

/** A part of the working set: the orders that match one filter, as the exchange returned them. */
export interface Part {
  readonly filter: Filter;
  readonly rows: readonly Row[];
  /** The rows’ own text, without the brackets. */
  readonly text: string;
  /** Why the response may not be what was requested, one sentence each. */
  readonly doubts: readonly string[];
  readonly provenance: Provenance;
}

/** Returns the part in a response, without rows that do not match the request. */
export function toPart(filter: Filter, served: Served, check: RowCheck): Part {
  const list = served.response.body.toString();
  const rows = parseList(list);
  const findings = check(rows);
  const used = { rows: withoutLeftOut(rows, findings), text: toText(list, findings) };
  return { filter, ...used, doubts: describeFindings(filter, rows.length, findings), provenance: provenanceOf(served) };
}

export function describe(filter: Filter): string {
  return (
    Object.entries(filter)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ') || 'no filter'
  );
}

function withoutLeftOut<Item>(items: readonly Item[], { leftOut }: RowFindings): readonly Item[] {
  return leftOut.size === 0 ? items : items.filter((_, position) => !leftOut.has(position));
}

function toText(list: string, findings: RowFindings): string {
  const whole = list.trim().slice(1, -1).trim();
  return findings.leftOut.size === 0
    ? whole
    : withoutLeftOut(splitList(list, list.indexOf('[') + 1), findings).join(',');
}

function describeFindings(filter: Filter, count: number, { leftOut, ofList }: RowFindings): readonly string[] {
  const causes = Map.groupBy(leftOut.values(), ({ kind, field }) => `${kind} ${field}`);
  const sentences = [...causes.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { kind, field, expected, found } = first;
    const verb = others.length === 0 ? 'is' : 'are';
    return [
      `${String(others.length + 1)} of ${String(count)} orders read with ${describe(filter)} ${verb} ` +
        `left out: ${kind} (${field}: expected ${expected}, found ${found}).`,
    ];
  });
  const excess =
    `The exchange returned ${String(count)} orders with ${describe(filter)}, although it ` +
    `rejects requests that match more than ${WORKING_ORDERS_LIMIT_TEXT}: more may exist.`;
  return ofList.some(({ kind }) => kind === 'too many rows') ? [...sentences, excess] : sentences;
}

export interface Split {
  readonly parts: readonly Part[];
  /** Why the set cannot be proven complete, one sentence each. */
  readonly unproven: readonly string[];
  /** Parts that could not be read within the budget. */
  readonly missing: readonly MissingPart[];
  /** The time to read all parts, if the budget does not allow reading them at once. */
  readonly roundMs?: number;
}

export interface MissingPart {
  readonly filter: Filter;
  readonly because: Problem;
}

export interface PartReader {
  /** `refresh` bypasses a remembered rejection. */
  readonly readPart: (filter: Filter, refresh?: boolean) => Promise<Part>;
  /** The most orders that the exchange returns in one response. */
  readonly maxOrders: number;
  readonly directory: () => Promise<ReadDirectory>;
  /** Accounts seen so far. Others may exist. */
  readonly accounts: () => Promise<readonly string[]>;
}

/** The narrower filters that a filter is split into. */
interface Narrowing {
  readonly by: readonly Filter[];
  readonly doubts: readonly string[];
}

/** Reads all orders of a filter with one request. */
async function readWhole({ readPart }: Pick<PartReader, 'readPart'>, filter: Filter): Promise<Split> {
  return { parts: [await readPart(filter)], unproven: [], missing: [] };
}

/**
 * Reads the orders of a filter; if they are too many for one response, by type, then product, then account.
 *
 * @internal Exported for its test.
 */
export async function readInParts(reader: PartReader, filter: Filter): Promise<Split> {
  try {
    return await readWhole(reader, filter).catch((error: unknown) => {
      if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      return splitFurther(reader, filter);
    });
  } catch (error) {
    if (!isProblemOf(error, 'budget-spent')) throw error;
    return { parts: [], unproven: [], missing: [{ filter, because: error.problem }] };
  }
}

async function splitFurther(reader: PartReader, filter: Filter): Promise<Split> {
  const named = filter['product_id'] !== undefined || filter['symbol'] !== undefined;
  if (!named && filter['product_type'] === undefined) return splitByType(reader, filter);
  if (!named) return splitByProduct(reader, filter);
  if (filter['account_id'] === undefined) return splitByAccount(reader, filter);
  return {
    parts: [],
    unproven: [
      `More than ${WORKING_ORDERS_LIMIT_TEXT} orders match ${describe(filter)}, and no narrower filter exists.`,
    ],
    missing: [],
  };
}

async function splitByType(reader: PartReader, filter: Filter): Promise<Split> {
  return readEach(reader, filter, {
    by: PRODUCT_TYPES.map((type) => ({ product_type: type })),
    doubts: await doubtTypes(reader),
  });
}

/** Reports product types that the interface does not know, which the exchange may have. */
async function doubtTypes({ directory }: PartReader): Promise<readonly string[]> {
  try {
    const { products } = (await directory()).directory;
    const unknown = products.filter(
      (product) => trades(product) && typeof product['type'] === 'string' && typeOf(product['type']) === null,
    ).length;
    return unknown === 0
      ? []
      : [
          `Products of unknown type in the product list: ${String(unknown)}. Their orders may be missing ` +
            'from all parts.',
        ];
  } catch (error) {
    if (!(error instanceof VenueFailure)) throw error;
    return ['The product list could not be read: orders in products of unknown type may be missing from all parts.'];
  }
}

async function splitByProduct(reader: PartReader, filter: Filter): Promise<Split> {
  const { directory, provenance } = await reader.directory();
  const { products, source, read_at: readAt } = directory;
  const ofType = products.filter((product) => trades(product) && isOfType(product['type'], filter['product_type']));
  const ids = ofType.map((product) => String(product['product_id'])).filter((id) => /^\d+$/.test(id));
  const unnamed = ofType.length - ids.length;
  const doubts = [
    ...(source === 'product/specs'
      ? []
      : ['The exchange offers no product list: orders in products without recent trades may be missing.']),
    ...(provenance.staleBecause === null
      ? []
      : [
          `The product list is from ${readAt} because the exchange did not return a newer one: orders in ` +
            'products listed since then may be missing.',
        ]),
    ...(unnamed === 0
      ? []
      : [`Products without an ID in the product list: ${String(unnamed)}. Their orders could not be read.`]),
  ];
  return readEach(reader, filter, { by: ids.map((id) => ({ product_id: id })), doubts });
}

function trades(product: Row): boolean {
  return product['product_status'] !== 'expired';
}

/** Products of unknown type are read as well: at worst, the response is empty. */
function isOfType(type: unknown, wanted: string | undefined): boolean {
  const known = typeOf(type);
  return known === null || known === wanted;
}

/** Returns a product’s type as its orders write it, where a perpetual is a Future; null if unknown. */
function typeOf(type: unknown): (typeof PRODUCT_TYPES)[number] | null {
  if (type === 'spread') return 'Spread';
  if (type === 'option') return 'Option';
  return type === 'future' || type === 'perpetual' ? 'Future' : null;
}

async function splitByAccount(reader: PartReader, filter: Filter): Promise<Split> {
  const accounts = await reader.accounts();
  const doubt =
    `More than ${WORKING_ORDERS_LIMIT_TEXT} orders match ${describe(filter)}. They were read ` +
    `for the ${String(accounts.length)} accounts seen so far, and others may exist.`;
  return readEach(reader, filter, { by: accounts.map((account) => ({ account_id: account })), doubts: [doubt] });
}

/** Reads one part after another: a split is the most expensive kind of read, and must not delay all others. */
async function readEach(reader: PartReader, filter: Filter, { by, doubts }: Narrowing): Promise<Split> {
  const splits: Split[] = [];
  for (const narrower of by) splits.push(await readInParts(reader, { ...filter, ...narrower }));
  return checkSum(reader, filter, {
    parts: splits.flatMap((split) => split.parts),
    unproven: [...doubts, ...splits.flatMap((split) => split.unproven)],
    missing: splits.flatMap((split) => split.missing),
  });
}

/**
 * Parts that would fit into one response contradict the rejection of the whole: orders were closed meanwhile, or some
 * are in no part.
 */
async function checkSum(reader: PartReader, filter: Filter, split: Split): Promise<Split> {
  const count = split.parts.reduce((sum, { rows }) => sum + rows.length, 0);
  if (split.missing.length > 0 || split.unproven.length > 0 || count > reader.maxOrders) return split;
  try {
    return { parts: [await reader.readPart(filter, true)], unproven: [], missing: [] };
  } catch (error) {
    if (!isProblemOf(error, 'too-many-working-orders') && !isProblemOf(error, 'budget-spent')) throw error;
    return {
      ...split,
      unproven: [
        `The parts contain ${String(count)} orders, but the exchange rejected the whole ` +
          `(${describe(filter)}) as more than ${WORKING_ORDERS_LIMIT_TEXT}.`,
      ],
    };
  }
}

export interface WorkingSetsDeps extends Clocks {
  readonly limit: RateLimiterState['limit'];
  readonly readerFor: (options: ReadOptions) => PartReader;
}

/**
 * Reads working sets. A set that is too large for one response is split once for all clients, within a share of the
 * budget.
 */
export interface WorkingSets {
  readonly read: (filter: Filter, options: ReadOptions) => Promise<Split>;
}

/** A screen uses one filter, or a few. */
const MAX_CACHES = 4;
/**
 * The key of the unfiltered set, which all share and the journal records: filtered sets use neither its place nor its
 * quota.
 */
const WHOLE = '{}';

export function createWorkingSets({ limit, readerFor, ...clocks }: WorkingSetsDeps): WorkingSets {
  const quotas = { ofWhole: createSubQuota(limit, clocks.elapsed), ofOthers: createSubQuota(limit, clocks.elapsed) };
  const flights = createSingleFlight<Split>();
  const caches = new Map<string, PartCache>();
  const wholeCaches = new Map<string, PartCache>();
  const cachesFor = (key: string): Map<string, PartCache> => (key === WHOLE ? wholeCaches : caches);

  const openCache = (key: string): PartCache => {
    const cache = cachesFor(key).get(key) ?? createPartCache(key === WHOLE ? quotas.ofWhole : quotas.ofOthers, clocks);
    setBounded(cachesFor(key), key, cache, MAX_CACHES);
    return cache;
  };

  const readSplit = async (key: string, filter: Filter, { purpose, payers, signal }: ReadOptions): Promise<Split> => {
    // Hundreds of reads must not use the reserve, which is for interactive reads.
    const reader = readerFor({ purpose: isMoreUrgent(purpose, 'working') ? 'working' : purpose, payers, signal });
    const split = await openCache(key).read(reader, filter);
    const isWhole = split.parts.some((part) => part.filter === filter);
    if (isWhole) cachesFor(key).delete(key);
    return split;
  };

  return {
    read: async (filter, options) => {
      const key = JSON.stringify(filter);
      try {
        if (!cachesFor(key).has(key)) return await readWhole(readerFor(options), filter);
      } catch (error) {
        if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      }
      const flight =
        flights.find(key) ??
        flights.start(key, options, (dropped) => readSplit(key, filter, { ...options, signal: dropped }));
      return flight.join(options.signal);
    },
  };
}

/**
 * The parts of a split working set that were read so far. Reading continues from there, however often it was
 * interrupted.
 */
interface PartCache {
  readonly read: (reader: PartReader, filter: Filter) => Promise<Split>;
}

/** The orders of a part, or the rejection that they are too many for one response. */
type Outcome = Part | VenueFailure;

/** Two clocks, because each can be wrong: one may be set, the other may stop while the machine sleeps. */
interface Clocks {
  readonly now: () => number;
  readonly elapsed: () => number;
}

interface Timed<Value> {
  readonly value: Value;
  /** By the clock that shows more. */
  readonly ageMs: () => number;
}

function withAge<Value>(value: Value, { now, elapsed }: Clocks): Timed<Value> {
  const [readAt, readElapsed] = [now(), elapsed()];
  return { value, ageMs: () => Math.max(now() - readAt, elapsed() - readElapsed) };
}

/** In rounds, the time to read all parts within the quota; twice as long while other parts are missing. */
const MAX_AGE = 1;
const MAX_AGE_WHILE_BEHIND = 2;

/** The number of reads in a full round, and whether the last round was incomplete. */
interface Pace {
  reads: number;
  isBehind: boolean;
}

/** One pass over the set: the keys it needed, and the first budget failure, after which it sends no more reads. */
interface Round {
  readonly visited: Set<string>;
  budgetFailure: VenueFailure | null;
}

/**
 * Caches each part until its turn to be read again, along with the directory and the accounts by which the set is
 * split.
 */
function createPartCache(quota: SubQuota, clocks: Clocks): PartCache {
  const pace: Pace = { reads: 0, isBehind: true };
  const outcomes = createStore<Outcome>(quota, clocks, pace);
  const directories = createStore<ReadDirectory>(quota, clocks, pace);
  const accounts = createStore<readonly string[]>(quota, clocks, pace);
  return {
    read: async (reader, filter) => {
      const round: Round = { visited: new Set(), budgetFailure: null };
      const cached: PartReader = {
        ...reader,
        readPart: async (narrower, refresh = false) =>
          orThrow(
            await outcomes.read(round, toKey(narrower, refresh), () => orTooMany(reader.readPart(narrower, refresh))),
          ),
        directory: () => directories.read(round, 'directory', reader.directory),
        accounts: () => accounts.read(round, 'accounts', reader.accounts),
      };
      const split = await readInParts(cached, filter);
      pace.reads = round.visited.size;
      pace.isBehind = split.missing.length > 0;
      if (!pace.isBehind) outcomes.keepOnly(round.visited);
      return { ...split, roundMs: pace.reads * quota.millisPerRead };
    },
  };
}

/** Stores values of one kind, each valid for a round. */
function createStore<Value>(quota: SubQuota, clocks: Clocks, pace: Pace) {
  const known = new Map<string, Timed<Value>>();
  const isUsable = ({ ageMs }: Timed<Value>): boolean => {
    const rounds = ageMs() / (Math.max(pace.reads, known.size) * quota.millisPerRead);
    return rounds < (pace.isBehind ? MAX_AGE_WHILE_BEHIND : MAX_AGE);
  };

  const readAnew = async (round: Round, key: string, read: () => Promise<Value>): Promise<Value> => {
    if (round.budgetFailure !== null) throw round.budgetFailure;
    quota.take();
    const value = await read();
    known.set(key, withAge(value, clocks));
    return value;
  };

  return {
    read: async (round: Round, key: string, read: () => Promise<Value>): Promise<Value> => {
      round.visited.add(key);
      const old = known.get(key);
      if (old !== undefined && isUsable(old)) return old.value;
      try {
        return await readAnew(round, key, read);
      } catch (error) {
        if (!isProblemOf(error, 'budget-spent')) throw error;
        round.budgetFailure = error;
        pace.isBehind = true;
        if (old !== undefined && isUsable(old)) return old.value;
        throw error;
      }
    },
    keepOnly: (keys: ReadonlySet<string>): void => {
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    },
  };
}

/** Stores a refreshed outcome separately from the first one. */
function toKey(filter: Filter, refresh: boolean): string {
  return JSON.stringify([filter, refresh]);
}

async function orTooMany(read: Promise<Part>): Promise<Outcome> {
  try {
    return await read;
  } catch (error) {
    if (isProblemOf(error, 'too-many-working-orders')) return error;
    throw error;
  }
}

function orThrow(outcome: Outcome): Part {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** The share of the budget that one kind of background work may use, so that enough is left for the rest. */
interface SubQuota {
  /** Throws a `budget-spent` failure if another read would exceed the quota. */
  readonly take: () => void;
  /** The average time between reads at full use; 0 without a limit. */
  readonly millisPerRead: number;
}

const SHARE = 0.5;

/** Allows half of what is not reserved for interactive use. */
function createSubQuota(limit: RateLimiterState['limit'], elapsed: () => number): SubQuota {
  if (limit === null) return { take: () => undefined, millisPerRead: 0 };
  const most = Math.max(1, Math.floor((limit.requests - limit.reserve) * SHARE));
  const windowMs = limit.seconds * 1_000;
  let taken: readonly number[] = [];
  return {
    millisPerRead: windowMs / most,
    take: () => {
      const at = elapsed();
      taken = taken.filter((earlier) => earlier > at - windowMs);
      const [oldest = at] = taken;
      if (taken.length >= most) throw budgetSpent(oldest + windowMs - at, describeSpent);
      taken = [...taken, at];
    },
  };
}

function describeSpent(wait: string): string {
  return `The share of the exchange’s request budget for working orders is exhausted. Reading continues in ${wait}.`;
}
