import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { compareTrades } from './compare-trades.ts';
import {
  compareNewest,
  type Fact,
  hasPassed,
  type ProductEvidence,
  relate,
  type Side,
  supporting,
  widen,
} from './facts.ts';
import {
  EQUAL_TICKS,
  hasTradedSince,
  pointAt,
  type Range,
  toChartSettlement,
  toFactor,
  toOpenInterestPrice,
  toTicksRange,
  toTicksSettlement,
  toUsdRange,
  toValueTerms,
  type ValueTerms,
} from './price-evidence.ts';

/** Makes all comparisons that the evidence allows, of the newest session that has both figures. */
export function comparePrices(evidence: ProductEvidence): readonly Fact[] {
  const increment = toFactor(evidence.product.price_increment);
  const terms = toValueTerms(evidence.product);
  const settlements = listSettlements(evidence);
  const facts = [
    ...compareSettlements(evidence, settlements, increment, terms),
    ...compareMarks(evidence, settlements, increment, terms),
    ...supportRanges(evidence),
    ...compareTrades(evidence, increment, terms),
  ];
  return [...facts, ...witnessSettlement(evidence, facts)];
}

/**
 * The last price less its change is the settlement. An exchange may count the change from another price, so where they
 * differ, this only counts if another figure contradicts the settlement by as much.
 */
function witnessSettlement({ running }: ProductEvidence, facts: readonly Fact[]): readonly Fact[] {
  const settled = toTicksSettlement(running);
  if (settled === null || running === undefined || !hasTradedSince(running)) return [];
  const { last_price: last, price_change: change } = running;
  if (last === null || change === null || settled.ticks <= 0) return [];
  const ticks = toNumber(last) - toNumber(change);
  const fact = relate(
    null,
    settled.session,
    { range: pointAt(settled.ticks), terms: { settlement: 1 } },
    { range: { low: ticks - EQUAL_TICKS, high: ticks + EQUAL_TICKS }, terms: { change: 1 } },
  );
  if (fact === null || hasPassed(fact)) return fact ? [fact] : [];
  const oneTick = 1 / settled.ticks;
  const agrees = ({ terms, low, high }: Fact): boolean =>
    (terms.settlement ?? terms['settlement of the day']) === 1 &&
    low <= fact.high + oneTick &&
    high >= fact.low - oneTick;
  return facts.some((one) => !hasPassed(one) && agrees(one)) ? [fact] : [];
}

/** A settlement of the product data, in ticks. */
interface Settlement {
  readonly session: Day;
  readonly ticks: number;
  readonly claim: 'settlement' | 'settlement of the day';
}

/** Lists settlements in ticks, newest first. */
function listSettlements({ sessions, running }: ProductEvidence): readonly Settlement[] {
  const ofDays = sessions.flatMap((row) => toTicksSettlement(row) ?? []);
  const now = toTicksSettlement(running);
  return [
    ...(now === null ? [] : [{ ...now, claim: 'settlement' as const }]),
    ...ofDays.map((settled) => ({ ...settled, claim: 'settlement of the day' as const })),
  ].sort((a, b) => (a.session < b.session ? 1 : a.session > b.session ? -1 : 0));
}

function compareSettlements(
  { days, prices }: ProductEvidence,
  settlements: readonly Settlement[],
  increment: number | null,
  terms: ValueTerms | null,
): readonly Fact[] {
  const inTicks = ({ ticks, claim }: Settlement, factor = 1): Side => ({
    range: pointAt(Math.abs(ticks) * factor),
    terms: { [claim]: 1 },
  });
  const inUsd = (settled: Settlement, factor: number): Side => {
    const side = inTicks(settled, factor);
    return { ...side, terms: { ...side.terms, 'tick size': 1 } };
  };
  const chartAt = (session: Day): Side | null => {
    const point = prices.find(({ date }) => date === session);
    const range = point === undefined ? null : toChartSettlement(point);
    return range && { range, terms: { chart: 1 } };
  };
  const interestAt = (row: VOIDataPoint | undefined): Side | null =>
    terms && toInterestSide(row && toOpenInterestPrice(row, terms));
  const [now] = settlements.filter(({ claim }) => claim === 'settlement');
  return [
    ...(increment === null
      ? []
      : [
          ...compareNewest(settlements, (settled) =>
            relate('chartSettlement', settled.session, inUsd(settled, increment), chartAt(settled.session)),
          ),
          ...compareNewest(settlements, (settled) => {
            const row = days.find(({ date }) => date === settled.session);
            return relate('openInterestValue', settled.session, inUsd(settled, increment), interestAt(row));
          }),
        ]),
    ...compareNewest(days.toReversed(), (row) =>
      relate('chartOpenInterest', row.date, chartAt(row.date), interestAt(row)),
    ),
    ...compareNewest(settlements, (settled) =>
      now === undefined || settled.session !== now.session || settled === now
        ? null
        : relate('settlementOfDay', now.session, inTicks(now), inTicks(settled)),
    ),
  ];
}

function toInterestSide(range: Range | null | undefined): Side | null {
  return range ? { range, terms: { 'open interest value': 1, 'open interest': -1, 'contract size': -1 } } : null;
}

const MARK_MOVES = 0.25;

/**
 * Compares the mark with settlements. In ticks, no tick size is needed. In USD, the comparison decides only where the
 * exchange publishes no settlement in ticks.
 */
function compareMarks(
  { latestPrint, prices, days }: ProductEvidence,
  settlements: readonly Settlement[],
  increment: number | null,
  terms: ValueTerms | null,
): readonly Fact[] {
  const mark = latestPrint === undefined ? 0 : toNumber(latestPrint.mark_price);
  if (mark <= 0) return [];
  const [newest] = settlements;
  const inTicks =
    newest === undefined || newest.ticks <= 0
      ? null
      : relate(
          'fundingMark',
          newest.session,
          { range: pointAt(newest.ticks), terms: { [newest.claim]: 1 } },
          { range: widen(pointAt(mark), MARK_MOVES), terms: { mark: 1 } },
        );
  const inUsd = increment === null ? null : compareMarkInUsd({ prices, days }, mark * increment, terms);
  return [inTicks ?? [], newest === undefined ? (inUsd ?? []) : supporting(inUsd)].flat();
}

/** Compares with the chart’s newest settlement, or else with that implied by open interest. */
function compareMarkInUsd(
  { prices, days }: Pick<ProductEvidence, 'prices' | 'days'>,
  mark: number,
  terms: ValueTerms | null,
): Fact | null {
  const side: Side = { range: pointAt(mark), terms: { 'mark': 1, 'tick size': 1 } };
  const near = (settlement: Side | null): Side | null =>
    settlement && { ...settlement, range: widen(settlement.range, MARK_MOVES) };
  const point = prices.at(-1);
  const chart = point && toChartSettlement(point);
  if (point !== undefined && chart)
    return relate('mark', point.date, side, near({ range: chart, terms: { chart: 1 } }));
  if (terms === null) return null;
  const row = days.findLast((day) => toOpenInterestPrice(day, terms) !== null);
  return row === undefined
    ? null
    : relate('mark', row.date, side, near(toInterestSide(toOpenInterestPrice(row, terms))));
}

/** A settlement within the range of its session supports both. */
function supportRanges({ prices, sessions }: ProductEvidence): readonly Fact[] {
  const ofChart = compareNewest(prices.toReversed(), (point) => {
    const [range, settlement] = [toUsdRange(point), toChartSettlement(point)];
    return range && settlement
      ? relate(null, point.date, { range, terms: { candle: 1 } }, { range: settlement, terms: { chart: 1 } })
      : null;
  });
  const ofData = compareNewest(sessions, (row) => {
    const [range, settled] = [toTicksRange(row), toTicksSettlement(row)];
    return range && settled
      ? relate(
          null,
          settled.session,
          { range, terms: { range: 1 } },
          { range: pointAt(Math.abs(settled.ticks)), terms: { 'settlement of the day': 1 } },
        )
      : null;
  });
  return [...ofChart, ...ofData].flatMap(supporting);
}
