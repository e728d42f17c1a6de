import { type OpaqueNumber, toNumber } from '#contract/exchange/brand.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { sessionOf, toMillis } from '../time/session.ts';
import type { CrossCheckName } from './cross-checks.ts';
import {
  type Claim,
  compareNewest,
  type Fact,
  type ProductEvidence,
  relate,
  relateAtMost,
  type Side,
  supporting,
  toAmount,
  widen,
} from './facts.ts';
import {
  hasTradedSince,
  joinRanges,
  mayBeNegative,
  type Range,
  scaleRange,
  toChartSettlement,
  toSessionPrice,
  toTicksRange,
  toTicksSettlement,
  type TicksSettlement,
  toTrailingPrice,
  toUsdRange,
  type ValueTerms,
} from './price-evidence.ts';

/** Compares volume, open interest and the USD values of both, as far as the evidence allows. */
export function compareTrades(
  evidence: ProductEvidence,
  increment: number | null,
  terms: ValueTerms | null,
): readonly Fact[] {
  return [
    ...compareVolumes(evidence),
    ...(terms === null ? [] : compareMeans(evidence, increment, terms)),
    ...supportOpenInterest(evidence),
    ...findNegative(evidence),
  ];
}

function compareVolumes({ days, sessions, prices }: ProductEvidence): readonly Fact[] {
  const dayOf = (session: Day | undefined): VOIDataPoint | undefined => days.find(({ date }) => date === session);
  const settled = listSettled(sessions);
  const points = prices.toReversed();
  const ofCandle = ({ ohlc }: PriceDataPoint): Side | null => toAmount('candle volume', ohlc.volume);
  return [
    ...compareNewest(settled, ({ session, data }) =>
      relate(
        'sessionVolume',
        session,
        toAmount('session volume', data.volume),
        toAmount('volume', dayOf(session)?.volume),
      ),
    ),
    ...compareNewest(settled, ({ session, data }) =>
      relate(
        'sessionVolume',
        session,
        toCents('session value', data.notional_volume),
        toCents('volume value', dayOf(session)?.notionalVolume),
      ),
    ),
    ...compareNewest(points, (point) =>
      relate('candleVolume', point.date, ofCandle(point), toAmount('volume', dayOf(point.date)?.volume)),
    ),
    ...compareNewest(points, (point) => {
      const data = settled.find(({ session }) => session === point.date)?.data;
      return relate('candleVolume', point.date, ofCandle(point), toAmount('session volume', data?.volume));
    }),
  ];
}

/** A value may have been rounded in the unit that it has by mistake. */
function toCents(claim: Claim, amount: OpaqueNumber<string> | null | undefined): Side | null {
  const side = toAmount(claim, amount);
  return side && { ...side, range: { low: side.range.low - 1, high: side.range.high + 1 } };
}

/** Lists product data of settled sessions, newest first. */
function listSettled(
  sessions: readonly ProductData[],
): readonly { readonly session: Day; readonly data: ProductData }[] {
  return sessions
    .flatMap((data) => {
      const session = toTicksSettlement(data)?.session;
      return session === undefined ? [] : [{ session, data }];
    })
    .sort((a, b) => (a.session < b.session ? 1 : -1));
}

/** Compares the mean price of trades with the range of their prices. */
function compareMeans(evidence: ProductEvidence, increment: number | null, terms: ValueTerms): readonly Fact[] {
  const { days, sessions } = evidence;
  return [
    ...compareNewest(days.toReversed(), (row) =>
      relate(
        'sessionPrice',
        row.date,
        findRange(evidence, row.date, increment),
        toMeanSide(toSessionPrice(row, terms), 'volume', 'volume value'),
      ),
    ),
    ...compareNewest(listSettled(sessions), ({ session, data: { volume, notional_volume: notionalVolume } }) =>
      relate(
        'sessionPrice',
        session,
        findRange(evidence, session, increment),
        toMeanSide(toSessionPrice({ volume, notionalVolume }, terms), 'session volume', 'session value'),
      ),
    ),
    ...compareTrailing(evidence, increment, terms),
    ...compareRunning(evidence, increment, terms),
  ];
}

function toMeanSide(range: Range | null, contracts: Claim, value: Claim): Side | null {
  return range && { range, terms: { [value]: 1, [contracts]: -1, 'contract size': -1 } };
}

const PRICES_MOVE = 0.02;
const DAY_MS = 86_400_000;

/** Compares the last 24 hours, which span the session in progress and the one before it. */
function compareTrailing(evidence: ProductEvidence, increment: number | null, terms: ValueTerms): readonly Fact[] {
  const { trailing, running, days } = evidence;
  const settled = toTicksSettlement(running);
  if (trailing === undefined || running === undefined || settled === null || !isWithinTwoSessions(evidence)) return [];
  const range = findRangeOfTwo(evidence, running, increment);
  const price = relate(
    'trailingPrice',
    null,
    range && { ...range, range: widen(range.range, PRICES_MOVE) },
    toMeanSide(toTrailingPrice(trailing, terms), '24 h volume', '24 h value'),
  );
  return [
    ...(price ? [price] : []),
    ...supporting(relate(null, null, toAmount('24 h volume', trailing.volume), toVolumeOfTwo(days, settled, running))),
  ];
}

/** Compares the figures of the session in progress, which are all of its trades. */
function compareRunning(evidence: ProductEvidence, increment: number | null, terms: ValueTerms): readonly Fact[] {
  const { running, trailing, trailingAt } = evidence;
  if (running === undefined || !hasTradedSince(running)) return [];
  const { volume, notional_volume: notionalVolume, last_price_time: lastTradeAt } = running;
  const price = relate(
    'sessionPrice',
    null,
    toTicksSide(running, increment),
    toMeanSide(toSessionPrice({ volume, notionalVolume }, terms), 'session volume', 'session value'),
  );
  const isOfLast24h = trailingAt !== null && hasBegunWithin24h(running, trailingAt);
  if (trailing === undefined || lastTradeAt === null || !isOfLast24h) return price ? [price] : [];
  const of24h = toAmount('24 h volume', trailing.volume);
  const haveAll = toMillis(lastTradeAt) + STATISTICS_LAG_MS < toMillis(trailingAt);
  const most = of24h && (haveAll ? of24h : { ...of24h, range: withTradesMeanwhile(of24h.range) });
  const atMost = relateAtMost('runningVolume', null, toAmount('session volume', volume), most);
  return [price, atMost].filter((fact) => fact !== null);
}

function hasBegunWithin24h({ settlement_time: settledAt }: ProductData, at: Instant): boolean {
  return settledAt !== null && toMillis(settledAt) > toMillis(at) - DAY_MS;
}

/** Statistics are updated nearly at once. */
const STATISTICS_LAG_MS = 60_000;
/** Contracts that may be traded between two reads, even of a product that hardly trades. */
const MEANWHILE = 1_000;

function withTradesMeanwhile({ low, high }: Range): Range {
  return { low, high: 2 * high + MEANWHILE };
}

/** The volume of the last 24 hours is at least that since the settlement, and at most that of both sessions. */
function toVolumeOfTwo(
  days: readonly VOIDataPoint[],
  { session }: TicksSettlement,
  { volume }: ProductData,
): Side | null {
  const before = days.find(({ date }) => date === session)?.volume ?? null;
  const since = volume === null ? 0 : toNumber(volume);
  return before === null ? null : { range: { low: since, high: since + toNumber(before) }, terms: { volume: 1 } };
}

/**
 * Returns whether the 24 hours lie in these two sessions. They reach into an earlier one if read just before a
 * settlement, or after one that daylight saving has moved forward.
 */
function isWithinTwoSessions({ product, trailingAt, running }: ProductEvidence): boolean {
  const settled = toTicksSettlement(running);
  return (
    trailingAt !== null &&
    settled !== null &&
    sessionOf(toMillis(trailingAt) - DAY_MS, { everyDay: product.type === 'perpetual' }) >= settled.session
  );
}

/**
 * Finds the lowest and highest price of the two sessions. Where there is a chart, the prices of the session in progress
 * are converted by the chart’s settlement, so that neither the tick size nor the unit of the product data matters.
 */
function findRangeOfTwo(evidence: ProductEvidence, running: ProductData, increment: number | null): Side | null {
  const settled = toTicksSettlement(running);
  if (settled === null) return null;
  const before = findRange(evidence, settled.session, increment);
  if (before === null && !hadNoTrades(evidence, settled.session)) return null;
  const point = evidence.prices.find(({ date }) => date === settled.session);
  const settlement = point && toChartSettlement(point);
  const since = toTicksSide(running, settlement ? settlement.high / Math.abs(settled.ticks) : increment);
  const range = joinRanges([before, since].flatMap((side) => (side === null ? [] : [side.range])));
  const side = settlement ? before : (before ?? since);
  return range && { range, terms: side?.terms ?? {} };
}

function hadNoTrades({ days }: ProductEvidence, session: Day): boolean {
  const row = days.find(({ date }) => date === session);
  return row?.volume === null;
}

/**
 * Finds the lowest and highest price of a session in USD: from the chart, or else from product data by the tick size.
 */
function findRange({ prices, sessions }: ProductEvidence, session: Day, increment: number | null): Side | null {
  const point = prices.find(({ date }) => date === session);
  if (point !== undefined) {
    const range = toUsdRange(point);
    return range && { range, terms: { candle: 1 } };
  }
  const data = sessions.find((row) => toTicksSettlement(row)?.session === session);
  return data === undefined ? null : toTicksSide(data, increment);
}

function toTicksSide(row: ProductData, increment: number | null): Side | null {
  const range = increment === null ? null : toTicksRange(row);
  return range && { range: scaleRange(range, increment ?? 1), terms: { 'range': 1, 'tick size': 1 } };
}

/** The product data may be published later than the daily values, so only an equal open interest says something. */
function supportOpenInterest({ days, sessions }: ProductEvidence): readonly Fact[] {
  return listSettled(sessions).flatMap(({ session, data }) => {
    const day = days.find(({ date }) => date === session);
    const published = toAmount('open interest', data.open_interest);
    return supporting(
      relate(null, session, toAmount('open interest', day?.openInterest), published && { ...published, terms: {} }),
    );
  });
}

/** Values of contracts that cannot have a negative price. */
function findNegative({ product: { type }, days, trailing }: ProductEvidence): readonly Fact[] {
  if (mayBeNegative(type)) return [];
  const isNegative = (value: OpaqueNumber<string> | null | undefined): boolean =>
    value !== null && value !== undefined && toNumber(value) < 0;
  const toFact = (check: CrossCheckName, claim: Claim, session: Day | null): Fact => ({
    check,
    session,
    terms: { [claim]: 1 },
    low: -Infinity,
    high: -Infinity,
    ratio: -1,
  });
  const interest = days.findLast(({ notionalOpenInterest }) => isNegative(notionalOpenInterest));
  const volume = days.findLast(({ notionalVolume }) => isNegative(notionalVolume));
  return [
    ...(interest ? [toFact('openInterestValue', 'open interest value', interest.date)] : []),
    ...(volume ? [toFact('sessionPrice', 'volume value', volume.date)] : []),
    ...(isNegative(trailing?.notionalVolume) ? [toFact('trailingPrice', '24 h value', null)] : []),
  ];
}
