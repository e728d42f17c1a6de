import type { FundingRule } from '#contract/desk/rules.ts';
import { FundingRateData } from '#contract/exchange/market-data.ts';
import { list } from '#contract/exchange/schema.ts';
import { createParser } from '#contract/parse/parse.ts';
import { INTERVAL_MS, toIntervalTimes } from '#model/funding/funding-rate.ts';
import { evaluateFunding } from '#model/rules/evaluate-funding.ts';
import { createAlertBoard } from './alert-board.ts';
import { createFirings, type Trial } from './try-rule.ts';

/** Returns the stored settled rates of a perpetual from a time on, each as JSON. */
export type SettledRatesOf = (baseSymbol: string, from: number) => Promise<readonly string[]>;

interface RatesTrial {
  readonly rule: FundingRule;
  /** Base symbols of the perpetuals that the exchange lists as active. */
  readonly perpetuals: readonly string[];
  readonly span: { readonly from: number; readonly to: number };
  readonly settledRatesOf: SettledRatesOf;
}

/** Returns when a rule would have fired on the stored settled rates, or in a sentence why it cannot be tried. */
export async function tryOnRates({ rule, perpetuals, span, settledRatesOf }: RatesTrial): Promise<Trial | string> {
  if (rule.measure === 'time_left') return 'Such a time comes before each funding.';
  if (rule.measure === 'predicted_rate') return 'Only settled rates can be tried.';
  const own = rule.base_symbol === undefined ? (rule.base_symbols ?? perpetuals) : [rule.base_symbol];
  const symbols = [...new Set([...own, ...(rule.against === undefined ? [] : [rule.against])])];
  // The rate before the first one decides whether that one has changed its sign.
  const begin = span.from - INTERVAL_MS;
  const read = await Promise.all(
    symbols.map(async (symbol) => [symbol, toPrints(await settledRatesOf(symbol, begin))] as const),
  );
  const prints = new Map(read);
  const ends = [...new Set(read.flatMap(([, own]) => own.map(({ end }) => end)))].sort((a, b) => a - b);
  const first = ends.find((end) => end >= span.from);
  if (first === undefined) return 'No settled rates of this time are stored yet.';
  const from = Math.max(span.from, first);
  const board = createAlertBoard();
  const { note, firings } = createFirings();
  for (const at of toInstants(ends, rule.for_seconds * 1_000).filter((one) => one >= from && one <= span.to)) {
    const evaluation = evaluateFunding(rule, {
      venueNow: at,
      perpetuals: own,
      fundingOf: (symbol) => ({
        settled: newestAt(prints.get(symbol) ?? [], at),
        predicted: { missing: 'Only settled rates can be tried.' },
      }),
    });
    for (const move of board.take(rule, evaluation, at)) note(move, at);
  }
  return { from, to: span.to, gaps: findGaps([...prints.values()], from), firings: firings() };
}

interface TimedPrint {
  readonly row: FundingRateData;
  readonly start: number;
  readonly end: number;
}

const parser = createParser(list(FundingRateData));

/** Oldest first. Rows whose times cannot be read are left out. */
function toPrints(texts: readonly string[]): readonly TimedPrint[] {
  const rows = parser.tolerant(`[${texts.join(',')}]`).value ?? [];
  return rows
    .flatMap((row) => {
      const times = toIntervalTimes(row);
      return times === null ? [] : [{ row, start: times.start, end: times.end }];
    })
    .sort((a, b) => a.end - b.end);
}

/** Enough for two intervals, even if each was published twice. */
const NEWEST = 4;

/** Returns the newest rates that had settled at a time. */
function newestAt(prints: readonly TimedPrint[], at: number): readonly FundingRateData[] {
  let [low, high] = [0, prints.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((prints[middle]?.end ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return prints.slice(Math.max(0, low - NEWEST), low).map(({ row }) => row);
}

/** The result may change with a rate, half an interval after it, and once it has lasted long enough. */
function toInstants(ends: readonly number[], forMs: number): readonly number[] {
  const all = ends.flatMap((end) => [end, end + INTERVAL_MS / 2, end + forMs]);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Finds the times for which a perpetual has no settled rate between two others. */
function findGaps(all: readonly (readonly TimedPrint[])[], from: number): Trial['gaps'] {
  const gaps = all.flatMap((prints) =>
    prints.flatMap(({ start }, index) => {
      const before = prints[index - 1]?.end ?? start;
      return start > before && start > from ? [{ from: Math.max(before, from), to: start }] : [];
    }),
  );
  return [...new Map(gaps.map((gap) => [`${String(gap.from)} ${String(gap.to)}`, gap])).values()].sort(
    (a, b) => a.from - b.from,
  );
}
