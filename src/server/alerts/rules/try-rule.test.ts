import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityRule, OrdersRule } from '#contract/desk/rules.ts';
import { LONGEST_LAG_MS } from '#model/rules/evaluate-activity.ts';
import { toOrderTest } from '#model/rules/rule-subjects.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import {
  emptyJournal,
  MINUTE,
  pastSteps,
  placedAt,
  recordPast,
  type NaiveReading,
  type Past,
  type PastEvent,
  type PastOrder,
  type PastStep,
} from '#testing/rules/past-readings.ts';
import { createTermsAt } from '#model/orders/order-terms.ts';
import { packStretch } from '#server/journal/pack-stretch.ts';
import { createPriceStore } from '#server/journal/prices/price-store.ts';
import { createPriceReader } from '#server/journal/prices/read-prices.ts';
import { createPriceRecorder } from '#server/journal/prices/record-prices.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { ALONE } from '#testing/server-store/alone.ts';
import { tryOnJournal, type Trial, type TrialPrices } from './try-rule.ts';

type TriedRule = OrdersRule | ActivityRule;

const common = { id: 'tried', name: 'Tried', enabled: true, severity: 'warning' as const, channels: [] };
const shared = {
  for_seconds: fc.constantFrom(0, 5 * 60, 21 * 60 + 3, 100 * 60),
  each: fc.constantFrom('all' as const, 'account' as const),
  filter: fc.constantFrom({}, { account_id: 'A' }),
};
const counts = fc.record({
  ...shared,
  measure: fc.constantFrom('count' as const, 'twins' as const),
  comparison: fc.constantFrom('over' as const, 'under' as const),
  value: fc.integer({ min: 0, max: 3 }),
});
const ages = fc.record({ ...shared, value: fc.integer({ min: 1, max: 400 }) });
const distances = fc.record({ ...shared, value: fc.constantFrom(10, 60) });
const activities = fc.record({
  ...shared,
  measure: fc.constantFrom('placed' as const, 'gone' as const, 'filled' as const),
  window_seconds: fc.constantFrom(60, 18 * 60 + 1, 150 * 60),
  comparison: fc.constantFrom('over' as const, 'under' as const),
  value: fc.integer({ min: 0, max: 2 }),
});
const rules: fc.Arbitrary<TriedRule> = fc.oneof(
  counts.map((some): TriedRule => ({ ...common, about: 'orders', unit: 'orders', ...some })),
  ages.map(({ value, ...some }): TriedRule => ({
    ...common,
    about: 'orders',
    measure: 'oldest_age',
    comparison: 'over',
    unit: 'seconds',
    value: value * 60,
    ...some,
  })),
  activities.map((some): TriedRule => ({ ...common, about: 'activity', unit: 'orders', ...some })),
);

const distanceRules = distances.map((some): OrdersRule => ({
  ...common,
  about: 'orders',
  measure: 'distance',
  comparison: 'over',
  unit: 'percent',
  ...some,
}));

/** A reading of product data: the market price of the one product, in ticks; null if it has none. */
interface NaivePrice {
  readonly at: number;
  readonly ticks: number | null;
}

/** Prices of a reading older than this, which is three intervals, are not known. */
const PRICES_OLD_MS = 25 * MINUTE;
const priceSteps = fc.array(
  fc.record({
    pause: fc.constantFrom(4 * MINUTE, 19 * MINUTE + 7_000, 26 * MINUTE, 120 * MINUTE),
    ticks: fc.constantFrom(null, 1, 2, 4),
  }),
  { minLength: 1, maxLength: 12 },
);

/** A last reading older than this says nothing about the end. */
const TOO_OLD_MS = 90_000;

interface Span {
  readonly from: number;
  readonly to: number;
}

function tryRule(
  { reader, journal }: Past,
  rule: TriedRule,
  span: Span,
  prices: TrialPrices | null = null,
): Promise<Trial> {
  return tryOnJournal(rule, toOrderTest(rule.filter), span, {
    journal: reader,
    keptFrom: journal.state().from,
    prices,
    holidays: null,
    elapsed: () => 0,
    yield: () => Promise.resolve(),
  });
}

/** True or false for each subject, null if unknown; undefined if nothing at all is known. */
type Verdicts = ReadonlyMap<string, boolean | null> | undefined;

/**
 * Evaluates the rule at one instant from scratch. `from`: since when changes are known. `to`: the end of the trial.
 * `remembered`: subjects that are evaluated in any case.
 */
function judgeAt(
  rule: TriedRule,
  readings: readonly NaiveReading[],
  { now, from, to, remembered, prices }: Known & { readonly now: number; readonly remembered: Iterable<string> },
): Verdicts {
  const price = prices?.findLast(({ at }) => at <= now);
  if (prices !== undefined && arePricesMissing(prices, now)) return undefined;
  const last = readings.findLast(({ at }) => at <= now);
  const next = readings.find(({ at }) => at > now);
  if (last === undefined || (now > last.at && (next === undefined ? to - last.at > TOO_OLD_MS : next.isAfterGap)))
    return undefined;
  const subjectOf = (account: string): string => (rule.each === 'all' ? '' : account);
  const working = Object.values(last.orders).filter(
    ({ account }) => rule.filter.account_id === undefined || account === rule.filter.account_id,
  );
  const subjects = listSubjects(rule, working, remembered);
  if (rule.about === 'orders') {
    return new Map(
      [...subjects].map((subject) => [
        subject,
        judgeOrders(
          rule,
          working.filter(({ account }) => subjectOf(account) === subject),
          Object.values(last.orders),
          { now, isWhole: last.isComplete, ticks: price?.ticks ?? null },
        ),
      ]),
    );
  }
  const begin = (rule.comparison === 'under' ? knownTo(readings, last) : now) - rule.window_seconds * 1_000;
  const isWhole = from <= begin && !hasGap(readings, begin, now);
  const events = listEvents(rule, readings, now).filter(({ at }) => at > begin);
  for (const { account } of events) subjects.add(subjectOf(account));
  return new Map(
    [...subjects].map((subject) => [subject, compare(rule, countOf(events, subjectOf, subject), isWhole)]),
  );
}

function listSubjects(
  { each, filter: { account_id: named } }: TriedRule,
  working: readonly PastOrder[],
  remembered: Iterable<string>,
): Set<string> {
  if (each === 'all') return new Set(['']);
  return new Set([...working.map(({ account }) => account), ...(named === undefined ? [] : [named]), ...remembered]);
}

function hasGap(readings: readonly NaiveReading[], from: number, to: number): boolean {
  return readings.some(({ at, begunAt, isAfterGap }) => isAfterGap && begunAt > from && at <= to);
}

/** Those that the rule counts, without those that were taken back. */
function listEvents(
  { measure, filter }: TriedRule,
  readings: readonly NaiveReading[],
  now: number,
): readonly PastEvent[] {
  const all = readings.filter(({ at }) => at <= now).flatMap((reading) => reading.events);
  const isTakenBack = ({ kind, id }: PastEvent, place: number): boolean =>
    kind === 'gone' && all.slice(place).some((later) => later.kind === 'returned' && later.id === id);
  return all.filter(
    (event, place) =>
      !isTakenBack(event, place) && event.kind === measure && (filter.account_id ?? event.account) === event.account,
  );
}

/** With a reading, the orders that came and went before the one before it are known. */
function knownTo(readings: readonly NaiveReading[], last: NaiveReading): number {
  return (readings[readings.indexOf(last) - 1] ?? last).at;
}

function arePricesMissing(prices: readonly NaivePrice[], now: number): boolean {
  return now - (prices.findLast(({ at }) => at <= now)?.at ?? -Infinity) > PRICES_OLD_MS;
}

function countOf(events: readonly PastEvent[], subjectOf: (account: string) => string, subject: string): number {
  return events.filter(({ account }) => subjectOf(account) === subject).length;
}

function judgeOrders(
  rule: OrdersRule,
  own: readonly PastOrder[],
  all: readonly PastOrder[],
  { now, isWhole, ticks }: { readonly now: number; readonly isWhole: boolean; readonly ticks: number | null },
): boolean | null {
  if (rule.measure === 'distance') {
    if (ticks === null) return isWhole && own.length === 0 ? false : null;
    return own.some((bid) => ((ticks - bid.price) / ticks) * 100 > rule.value) || (isWhole ? false : null);
  }
  if (rule.measure === 'oldest_age') return judgeAge(rule, own, { now, isWhole });
  if (rule.measure === 'count') return compare(rule, own.length, isWhole);
  const isTwin = (one: PastOrder): boolean =>
    all.filter(
      (other) => other.account === one.account && other.price === one.price && other.requested === one.requested,
    ).length > 1;
  return compare(rule, own.filter(isTwin).length, isWhole);
}

function judgeAge(
  rule: OrdersRule,
  own: readonly PastOrder[],
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): boolean | null {
  const ages = own.map((one) => (now - placedAt(one)) / 1_000);
  const known = ages.filter((age) => age >= -1);
  if (known.some((age) => age > rule.value)) return true;
  return isWhole && known.length === ages.length ? false : null;
}

/** If something may be missing, the count may be higher. */
function compare({ comparison, value }: TriedRule, count: number, isWhole: boolean): boolean | null {
  if (comparison === 'over') return count > value ? true : isWhole ? false : null;
  if (count >= value) return false;
  return isWhole ? true : null;
}

interface NaiveFiring {
  readonly group: string;
  readonly at: number;
  resolvedAt: number | null;
}

/** From when to when events are known, and the prices if the rule needs any. */
interface Known extends Span {
  readonly prices?: readonly NaivePrice[] | undefined;
}

/** Evaluates instant after instant, too slowly for an alert to flap. */
function fireNaively(
  rule: TriedRule,
  readings: readonly NaiveReading[],
  instants: readonly number[],
  known: Known,
): readonly NaiveFiring[] {
  const firings: NaiveFiring[] = [];
  const since = new Map<string, number>();
  // The first set holds alerts that fired, or lost their data and then did not hold; the second those without data.
  const [over, missing] = [new Set<string>(), new Set<string>()];
  for (const now of instants) {
    const verdicts = judgeAt(rule, readings, { ...known, now, remembered: [...since.keys(), ...over, ...missing] });
    if (verdicts === undefined) since.clear();
    else {
      const isWhole = isLost(rule, [...verdicts.values()]);
      for (const [subject, holds] of verdicts) {
        if (holds === null && isWhole) missing.delete(subject);
        else noteMissing(subject, holds, { over, missing });
        const open = firings.find((one) => one.group === subject && one.resolvedAt === null);
        if (holds === true) since.set(subject, since.get(subject) ?? now);
        else since.delete(subject);
        if (holds === false && open !== undefined) open.resolvedAt = now;
        const begun = since.get(subject);
        if (begun !== undefined && open === undefined && now - begun >= rule.for_seconds * 1_000) {
          firings.push({ group: subject, at: now, resolvedAt: null });
          over.add(subject);
        }
      }
    }
  }
  return firings;
}

/** Whether the rule as a whole has no data, rather than some of its subjects. */
function isLost({ about, each }: TriedRule, verdicts: readonly (boolean | null)[]): boolean {
  if (each === 'all' || verdicts.filter((holds) => holds === null).length < 2) return false;
  return about === 'activity' || !verdicts.includes(false);
}

function noteMissing(
  subject: string,
  holds: boolean | null,
  { over, missing }: { readonly over: Set<string>; readonly missing: Set<string> },
): void {
  if (holds === false && missing.has(subject)) over.add(subject);
  if (holds === null) missing.add(subject);
  else missing.delete(subject);
}

/**
 * Lists every second, the instant after each reading, the beginning of each gap, and the instant from which an order's
 * age is known.
 */
function listInstants({ from, to }: Span, readings: readonly NaiveReading[]): readonly number[] {
  const seconds = Array.from({ length: Math.floor((to - from) / 1_000) + 1 }, (_, second) => from + second * 1_000);
  const others = readings.flatMap(({ at, orders }) => [
    at + 1,
    ...Object.values(orders).map((order) => placedAt(order) - 1_000),
  ]);
  return [...new Set([...seconds, ...others.filter((at) => at >= from && at <= to)])].sort((a, b) => a - b);
}

function naiveGaps({ from, to }: Span, readings: readonly NaiveReading[]): readonly Span[] {
  const closed = readings.flatMap(({ isAfterGap, begunAt }, place) =>
    isAfterGap ? [{ from: readings[place - 1]?.at ?? 0, to: begunAt }] : [],
  );
  const last = readings.at(-1)?.at ?? to;
  const all = to - last > TOO_OLD_MS ? [...closed, { from: last, to }] : closed;
  return all
    .map((gap) => ({ from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
    .filter((gap) => gap.from < gap.to);
}

function toPlain(
  firings: readonly { readonly group: string; readonly at: number; readonly resolvedAt: number | null }[],
): readonly string[] {
  return firings.map(({ group: subject, at, resolvedAt }) => `${subject} ${String(at)}–${String(resolvedAt)}`).sort();
}

async function holdAgainst(
  database: TestStore,
  steps: readonly PastStep[],
  rule: TriedRule,
  { skip, after }: { readonly skip: number; readonly after: number },
): Promise<void> {
  await emptyJournal(database);
  const { past, readings } = await recordPast(database, steps);
  const [first, last] = [readings[0]?.at ?? 0, readings.at(-1)?.at ?? 0];
  const span = { from: first - 10_000 + skip * 1_000, to: last + after };
  if (span.from > span.to) return;
  const tried = { from: Math.max(first, span.from), to: span.to };
  const windowMs = rule.about === 'activity' ? rule.window_seconds * 1_000 + LONGEST_LAG_MS : 0;
  const naive = fireNaively(rule, readings, listInstants(tried, readings), {
    // The trial begins with a reading.
    from: readings.findLast(({ at }) => at <= Math.max(first, span.from - windowMs))?.at ?? first,
    to: span.to,
  });
  const trial = await tryRule(past, rule, span);
  expect([trial.from, trial.to]).toEqual([tried.from, tried.to]);
  expect(trial.gaps).toEqual(naiveGaps(tried, readings));
  expect(toPlain(trial.firings)).toEqual(toPlain(naive));
}

/** Records prices as product data show them, and returns their reader. */
async function recordPrices(database: TestStore, prices: readonly NaivePrice[]): Promise<TrialPrices> {
  for (const name of ['reading', 'segment', 'block'])
    await database.driver.write([{ name: `empty prices ${name}`, sql: `DELETE FROM price_${name}`, values: [] }]);
  const store = createPriceStore(database, 'exchange key');
  const recorder = createPriceRecorder({ store, lease: ALONE, pack: packStretch, keptMs: Infinity, now: () => 0 });
  for (const { at, ticks } of prices) {
    const row = {
      ...{ product_id: sample.product_id, last_price_time: '2026-11-20T00:00:00Z', last_price: ticks },
      ...{ settlement_time: null, settlement_price: null, high_price: null, low_price: null },
    };
    await recorder.record(JSON.stringify(ticks === null ? [] : [row]), at);
  }
  return { ...createPriceReader(store, PRICES_OLD_MS / 3_000), termsAt: createTermsAt([], () => null) };
}

const [sample] = sampleResponses.ordersWorking;

async function holdPricesAgainst(
  database: TestStore,
  steps: readonly PastStep[],
  rule: OrdersRule,
  { priced, ahead }: { readonly priced: readonly (NaivePrice & { readonly pause: number })[]; readonly ahead: number },
): Promise<void> {
  await emptyJournal(database);
  const { past, readings } = await recordPast(database, steps);
  const [first, last] = [readings[0]?.at ?? 0, readings.at(-1)?.at ?? 0];
  const prices: NaivePrice[] = [];
  for (const { pause, ticks } of priced) prices.push({ at: (prices.at(-1)?.at ?? first - ahead) + pause, ticks });
  const from = Math.max(first, prices[0]?.at ?? 0);
  const span = { from: first, to: last + TOO_OLD_MS };
  const reader = await recordPrices(database, prices);
  if (from > span.to) return;
  const instants = [
    ...listInstants({ from, to: span.to }, readings),
    ...prices.flatMap(({ at }) => [at, at + PRICES_OLD_MS + 1]).filter((at) => at >= from && at <= span.to),
  ].sort((a, b) => a - b);
  const known = { from, to: span.to, prices };
  const naive = fireNaively(rule, readings, instants, known);
  const trial = await tryRule(past, rule, span, reader);
  expect([trial.from, trial.to]).toEqual([from, span.to]);
  expect(toPlain(trial.firings)).toEqual(toPlain(naive));
  const isUnread = (now: number): boolean => trial.gaps.some((gap) => gap.from <= now && now < gap.to);
  const unknown = instants.filter((now) => now < span.to && arePricesMissing(prices, now));
  expect(unknown.filter((now) => !isUnread(now))).toEqual([]);
}

const many: OrdersRule = {
  ...common,
  about: 'orders',
  measure: 'count',
  filter: {},
  each: 'all',
  comparison: 'over',
  value: 0,
  unit: 'orders',
  for_seconds: 0,
};
const one: PastOrder = { account: 'A', price: 1, requested: 2, filled: 0, placed: 0 };

/** Each step has the pause before it, in minutes, and the accounts of its orders. */
function toSteps(
  some: readonly (readonly [pause: number, accounts: readonly PastOrder['account'][]])[],
): readonly PastStep[] {
  return some.map(([pause, accounts]) => ({
    pause: pause * MINUTE,
    split: 0,
    isComplete: true,
    seals: false,
    restarts: false,
    orders: Object.fromEntries(accounts.map((account, id) => [String(id), { ...one, account }])),
  }));
}

async function tryOn(
  rule: TriedRule,
  steps: readonly PastStep[],
): Promise<{ readonly trial: Trial; readonly minutes: readonly (readonly [from: number, to: number | null])[] }> {
  const { past, readings } = await recordPast(await openTestStore(), steps);
  const first = readings[0]?.at ?? 0;
  const trial = await tryRule(past, rule, { from: 0, to: readings.at(-1)?.at ?? 0 });
  const toMinutes = (at: number): number => (at - first) / MINUTE;
  return {
    trial,
    minutes: trial.firings.map(({ at, resolvedAt }) => [
      toMinutes(at),
      resolvedAt === null ? null : toMinutes(resolvedAt),
    ]),
  };
}

describe('a rule that is tried on the journal', () => {
  it(
    'fires when evaluating it every second gives that it does, through gaps, split and incomplete readings, sealing and restarts',
    { timeout: 60_000 },
    async () => {
      const database = await openTestStore();
      const span = fc.record({
        skip: fc.integer({ min: 0, max: 200 * 60 }),
        after: fc.constantFrom(0, 60_000, TOO_OLD_MS, TOO_OLD_MS + 1_000, 500_000),
      });
      await fc.assert(
        fc.asyncProperty(pastSteps, rules, span, (steps, rule, some) => holdAgainst(database, steps, rule, some)),
        { numRuns: 60 },
      );
    },
  );

  it(
    'about prices fires when evaluating it on the prices recorded until each second gives that it does',
    { timeout: 60_000 },
    async () => {
      expect(sample.side).toBe('Bid');
      const database = await openTestStore();
      await fc.assert(
        fc.asyncProperty(
          pastSteps,
          distanceRules,
          priceSteps,
          fc.constantFrom(0, 40 * MINUTE),
          (steps, rule, priced, ahead) =>
            holdPricesAgainst(database, steps, rule, { priced: priced.map((one) => ({ ...one, at: 0 })), ahead }),
        ),
        { numRuns: 60 },
      );
    },
  );

  it('fires once it has held for long enough, also where no order changes meanwhile', async () => {
    expect(
      (
        await tryOn(
          { ...many, for_seconds: 90 * 60 },
          toSteps([
            [0, ['A']],
            [50, ['A']],
            [50, ['A']],
            [50, []],
          ]),
        )
      ).minutes,
    ).toEqual([[90, 150]]);
  });

  it('does not wait through a gap, which is none of the time that it held', async () => {
    const { trial, minutes } = await tryOn(
      { ...many, for_seconds: 90 * 60 },
      toSteps([
        [0, ['A']],
        [50, ['A']],
        [100, ['A']],
        [59, ['A']],
        [59, ['A']],
        [20, []],
      ]),
    );
    expect(minutes).toEqual([[150 + 90, 150 + 59 + 59 + 20]]);
    expect(trial.gaps.map(({ from, to }) => (to - from) / MINUTE)).toEqual([100]);
  });

  it('that fired before a gap and still does after it fired once', async () => {
    expect(
      (
        await tryOn(
          many,
          toSteps([
            [0, ['A']],
            [100, ['A']],
            [20, []],
            [20, ['A']],
            [100, []],
          ]),
        )
      ).minutes,
    ).toEqual([
      [0, 120],
      [140, 240],
    ]);
    expect(
      (
        await tryOn(
          { ...many, each: 'account' },
          toSteps([
            [0, ['A']],
            [100, ['A']],
            [20, []],
          ]),
        )
      ).minutes,
    ).toEqual([[0, 120]]);
  });
});
