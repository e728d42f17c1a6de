import type { FundingRule } from '#contract/desk/rules.ts';
import type { RuleUnit } from '#contract/desk/rule-measures.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { premiumOf, whyNoPremium } from '../funding/funding-prices.ts';
import { type FundingInterval, INTERVAL_MS, namePayer, toIntervalTimes } from '../funding/funding-rate.ts';
import { formatNumber } from '../format/number.ts';
import { describeOverdue, findOverdue, toDueTimes } from '../time/overdue.ts';
import { Decimal, toDecimal } from '../units/decimal.ts';
import { describeVerdict, nameMeasure } from './describe-rule.ts';
import {
  type Evaluation,
  type FundingReading,
  isMissing,
  judge,
  type Missing,
  NO_EVIDENCE,
  type SubjectReading,
} from './readings.ts';
import { isOfOnePerpetual } from './rule-subjects.ts';

export interface FundingData {
  /** By the exchange’s clock; null while that is unknown. */
  readonly venueNow: number | null;
  /** Base symbols of the perpetuals that the exchange lists as active. */
  readonly perpetuals: readonly string[] | Missing;
  readonly fundingOf: (baseSymbol: string) => FundingReading;
}

/** Evaluates a funding rule: for its perpetual, or with one subject for each of several. */
export function evaluateFunding(rule: FundingRule, data: FundingData, remembered: readonly string[] = []): Evaluation {
  if (isOfOnePerpetual(rule)) {
    const found = measure(rule, rule.base_symbol ?? '', data);
    return isMissing(found) ? found : [toSubject('', found)];
  }
  const { perpetuals } = data;
  if ('missing' in perpetuals) return perpetuals;
  const wanted = (rule.base_symbols ?? perpetuals).filter((symbol) => symbol !== rule.against);
  const listed = wanted.filter((symbol) => perpetuals.includes(symbol));
  const found = listed.map((symbol) => ({ symbol, measured: measure(rule, symbol, data) }));
  const [first, ...others] = found.map(({ measured }) => (isMissing(measured) ? measured : null));
  // A reason that they share is that of the rule.
  if (first && others.every((other) => other?.missing === first.missing)) return first;
  const unlisted = new Set([...remembered, ...wanted].filter((symbol) => symbol !== '' && !listed.includes(symbol)));
  return [
    ...found.map(({ symbol, measured }) => toSubject(symbol, measured)),
    ...[...unlisted].map((group) => ({ ...NOTHING, group, holds: false, because: NOT_LISTED })),
  ];
}

const NOTHING = { value: null, evidence: NO_EVIDENCE };

function toSubject(group: string, measured: MeasuredRate | Missing): SubjectReading {
  return isMissing(measured)
    ? { ...NOTHING, group, holds: null, because: measured.missing }
    : { group, because: null, evidence: NO_EVIDENCE, ...measured };
}

const NOT_LISTED = 'The exchange does not list it as an active perpetual.';

const MINUTE_MS = 60_000;

/** Funding times are the same for all perpetuals. */
function compareTimeLeft(rule: FundingRule, venueNow: number | null): MeasuredRate | Missing {
  if (venueNow === null) return { missing: 'The exchange’s clock is not known yet.' };
  const value = new Decimal(INTERVAL_MS - (venueNow % INTERVAL_MS)).div(MINUTE_MS);
  return { value, holds: judge(value, { comparison: 'under', value: rule.value ?? 0 }) };
}

interface MeasuredRate {
  readonly value: Decimal;
  readonly holds: boolean | null;
  readonly sentence?: string;
}

function measure(rule: FundingRule, symbol: string, data: FundingData): MeasuredRate | Missing {
  const own = (): FundingReading => data.fundingOf(symbol);
  const settled = (reading: FundingReading): Rate | Missing => findSettled(reading, data.venueNow);
  switch (rule.measure) {
    case 'time_left':
      return compareTimeLeft(rule, data.venueNow);
    case 'predicted_rate':
      return compareRate(rule, symbol, findPredicted(own(), data.venueNow));
    case 'settled_rate':
      return compareRate(rule, symbol, settled(own()));
    case 'difference':
      return compareDifference(rule, symbol, settled(own()), settled(data.fundingOf(rule.against ?? '')));
    case 'premium':
      return comparePremium(rule, symbol, settled(own()));
    case 'flip':
      return findFlip(symbol, settled(own()), own(), data.venueNow);
  }
}

/** A rate as a fraction of its interval. */
interface Rate {
  readonly fraction: Decimal;
  readonly start: number;
  readonly end: number;
  readonly print: FundingRateData | null;
}

function toRate(row: FundingInterval & { readonly funding_rate: FundingRateData['funding_rate'] }): Rate | null {
  const times = toIntervalTimes(row);
  return times === null || times.end <= times.start
    ? null
    : { fraction: toDecimal(wireText(row, 'funding_rate')), start: times.start, end: times.end, print: null };
}

const UNREADABLE: Missing = { missing: 'The times of its interval cannot be read.' };

function findPredicted({ predicted }: FundingReading, venueNow: number | null): Rate | Missing {
  if (isMissing(predicted)) return predicted;
  const rate = toRate(predicted);
  if (rate === null || (venueNow !== null && rate.end < venueNow))
    return { missing: 'The interval of the predicted rate has ended, and the next rate has not arrived.' };
  return rate;
}

/** A settled rate is due some minutes after its interval, and read every few minutes. */
const READ_LATE_MS = 600_000;

/** Finds the rate of the newest interval. One that is overdue says nothing about the present. */
function findSettled({ settled }: FundingReading, venueNow: number | null): Rate | Missing {
  if (isMissing(settled)) return settled;
  const rate = findOfInterval(settled, 0);
  if (isMissing(rate) || venueNow === null || rate.print === null) return rate;
  const overdue = findOverdue(rate.print.interval_end, toDueTimes(venueNow - READ_LATE_MS).fundingRates);
  return overdue === null ? rate : { missing: describeOverdue('settled rate', overdue) };
}

/** Finds the rate of the newest interval (0), or of an earlier one. */
function findOfInterval(settled: readonly FundingRateData[], place: number): Rate | Missing {
  const byEnd = Map.groupBy(settled, (print) => toIntervalTimes(print)?.end ?? NaN);
  const [, prints] = [...byEnd].filter(([time]) => !Number.isNaN(time)).sort(([a], [b]) => b - a)[place] ?? [];
  const [first, ...others] = prints ?? [];
  if (first === undefined) return { missing: 'The exchange publishes no settled rate of that interval.' };
  if (others.some((other) => wireText(other, 'funding_rate') !== wireText(first, 'funding_rate')))
    return { missing: 'The exchange publishes two settled rates of one interval.' };
  const rate = toRate(first);
  return rate === null ? UNREADABLE : { ...rate, print: first };
}

function compareRate(rule: FundingRule, symbol: string, rate: Rate | Missing): MeasuredRate | Missing {
  if (isMissing(rate)) return rate;
  const value = toUnit(rate, rule.unit);
  const shown = `${formatRate(value, rule.unit)} ${nameUnit(rate, rule.unit)}`;
  const when = rule.measure === 'predicted_rate' ? `for ${formatTime(rate.end)}` : `at ${formatTime(rate.end)}`;
  return compare(rule, value, `${nameMeasure(rule)} of ${symbol}: ${shown} ${when}, ${namePayer(value)}`);
}

function compareDifference(
  rule: FundingRule,
  symbol: string,
  own: Rate | Missing,
  other: Rate | Missing,
): MeasuredRate | Missing {
  if (isMissing(own)) return own;
  if (isMissing(other)) return other;
  if (own.end !== other.end) return { missing: 'The newest settled rates of the two are of different intervals.' };
  const value = toUnit(own, rule.unit).minus(toUnit(other, rule.unit));
  const shown = `${formatRate(value, rule.unit)} ${nameUnit(own, rule.unit)}`;
  return compare(
    rule,
    value,
    `Settled rate of ${symbol} minus that of ${rule.against ?? ''}: ${shown} at ${formatTime(own.end)}`,
  );
}

/** Index and mark are published with each settled rate only. */
function comparePremium(rule: FundingRule, symbol: string, rate: Rate | Missing): MeasuredRate | Missing {
  if (isMissing(rate)) return rate;
  const premium = rate.print && premiumOf(rate.print);
  if (premium === null) return { missing: (rate.print && whyNoPremium(rate.print)) ?? UNREADABLE.missing };
  const value = premium.times(100);
  return compare(
    rule,
    value,
    `${nameMeasure(rule)} of ${symbol}: ${formatRate(value, 'percent')} % at ${formatTime(rate.end)}`,
  );
}

function compare(rule: FundingRule, value: Decimal, found: string): MeasuredRate {
  const { comparison = 'over', value: limit = 0 } = rule;
  const holds = judge(value, { comparison, value: limit });
  return { value, holds, sentence: `${found}; ${describeVerdict(rule, holds === true)}.` };
}

/** A flip counts for half of the interval that follows, so that the next one is a new alert. */
function findFlip(
  symbol: string,
  newest: Rate | Missing,
  { settled }: FundingReading,
  venueNow: number | null,
): MeasuredRate | Missing {
  if (isMissing(newest)) return newest;
  const before = isMissing(settled) ? settled : findOfInterval(settled, 1);
  if (isMissing(before)) return before;
  if (before.end !== newest.start) return { missing: 'The settled rate of the interval before is not known.' };
  const [from, to] = [before, newest].map((rate) => formatRate(toUnit(rate, 'percent'), 'percent'));
  const hasFlipped = newest.fraction.times(before.fraction).lt(0);
  const isOver = venueNow !== null && venueNow >= newest.end + (newest.end - newest.start) / 2;
  const what = hasFlipped ? (isOver ? 'flipped more than half an interval ago' : 'flipped') : 'has not flipped';
  return {
    value: toUnit(newest, 'percent'),
    holds: hasFlipped && !isOver,
    sentence:
      `${symbol} ${what}: ${from ?? ''} to ${to ?? ''} ${nameUnit(newest, 'percent')} at ${formatTime(newest.end)}, ` +
      `${namePayer(newest.fraction)}.`,
  };
}

const EIGHT_HOURS_MS = 8 * 3_600_000;
const YEAR_MS = 365 * 86_400_000;

/** Converts a rate to percent per interval, per 8 h or a year. The interval’s own length counts. */
function toUnit({ fraction, start, end }: Rate, unit: RuleUnit | undefined): Decimal {
  const percent = fraction.times(100);
  if (unit === 'percent per 8 h') return percent.times(EIGHT_HOURS_MS).div(end - start);
  return unit === 'percent APR' ? percent.times(YEAR_MS).div(end - start) : percent;
}

function nameUnit({ start, end }: Rate, unit: RuleUnit | undefined): string {
  if (unit === 'percent APR') return '% APR';
  const hours = unit === 'percent per 8 h' ? new Decimal(8) : new Decimal(end - start).div(3_600_000);
  return `% per ${formatNumber(hours.toDecimalPlaces(2))} h`;
}

/** As many digits as the screens show. */
function formatRate(value: Decimal, unit: RuleUnit | undefined): string {
  return formatNumber(value, { digits: unit === 'percent APR' ? 2 : 4, signed: true });
}

/** `08:00 UTC`: funding times are on the minute. */
function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice('2026-11-20T'.length, '2026-11-20T08:00'.length)} UTC`;
}
