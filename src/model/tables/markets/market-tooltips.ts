import type { Instant } from '#contract/exchange/instant.ts';
import { describeProvenance, describeReading, type ProvenanceLine } from '../../format/provenance.ts';
import { describeQuantity, NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { type Overdue, toTradeAge } from '../../time/overdue.ts';
import { type CellTooltip, formatTradeAge, withOverdue, withReason } from '../cell-tooltip.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { nameOf, type TermColumnId } from './market-list.ts';
import { describeFunding } from '../../funding/funding-rate.ts';
import { describeCheck } from '../../checks/describe-check.ts';
import type { Quantity } from '../../units/quantity.ts';
import { whyNoCountdown } from '../why-no-countdown.ts';
import type { LaterFigureName } from '../../markets/price-change-names.ts';
import { describeTerm, showTerm, TERMS } from '../../markets/contract-terms.ts';

/**
 * Explains when the last trade was and where that time comes from, or why it is unknown.
 *
 * @internal Exported for its test.
 */
export function explainLastTrade(row: MarketRow, venueNow: number): CellTooltip {
  const { lastTime, lastSource, missingBecause } = row;
  const title = (text: string): string => `${nameOf(row)} last trade: ${text}`;
  const reading =
    lastSource === null
      ? []
      : describeReading({ source: lastSource, field: 'last_price_time', wireText: lastTime }, formatInAllZones);
  if (lastTime === null) {
    const reason =
      lastSource === null ? missingBecause : 'The exchange gives no time of a last trade for this product.';
    return { title: title(NO_VALUE), facts: [{ name: 'Missing', value: reason ?? '' }, ...reading] };
  }
  const age = toTradeAge(lastTime as Instant, venueNow);
  const facts: readonly ProvenanceLine[] = [{ name: 'Traded', value: formatInAllZones(lastTime) }, ...reading];
  if (age !== null) return { title: title(`${formatTradeAge(age)} ago`), facts };
  return {
    title: title('n/a'),
    facts: [
      { name: 'Not available', value: 'The exchange dates the last trade in the future, so its age is unknown.' },
      ...facts,
    ],
  };
}

interface Figure {
  readonly label: string;
  readonly read: (row: MarketRow) => Quantity | null;
  /** What can be overdue about the figure. */
  readonly overdue?: { readonly noun: string; readonly read: (ages: MarketRow['ages']) => Overdue | null };
}

const LAST = 'last price';
const CHANGE = 'change vs. settlement';
const SETTLEMENT = 'settlement';
const VOLUME = '24 h volume';
const FROM_TICKS: readonly string[] = [LAST, CHANGE, SETTLEMENT];

const SETTLED = { noun: SETTLEMENT, read: ({ overdueSettlement }: MarketRow['ages']) => overdueSettlement };
const INTEREST = { noun: 'open interest', read: ({ overdueInterest }: MarketRow['ages']) => overdueInterest };
const SETTLED_RATE = { noun: 'settled rate', read: ({ overdueRate }: MarketRow['ages']) => overdueRate };

/** Figures by column. */
const FIGURES: Readonly<Record<string, Figure>> = {
  last: { label: LAST, read: ({ last }) => last, overdue: SETTLED },
  settlement: { label: SETTLEMENT, read: ({ settlement }) => settlement, overdue: SETTLED },
  change: { label: CHANGE, read: ({ change }) => change, overdue: SETTLED },
  changePercent: { label: CHANGE, read: ({ changeFraction }) => changeFraction, overdue: SETTLED },
  volume: { label: VOLUME, read: ({ volume }) => volume },
  volumeUsd: { label: VOLUME, read: ({ volumeUsd }) => volumeUsd },
  openInterest: { label: 'open interest', read: ({ openInterest }) => openInterest, overdue: INTEREST },
  openInterestUsd: { label: 'open interest', read: ({ openInterestUsd }) => openInterestUsd, overdue: INTEREST },
};

const RATES: Readonly<Record<string, Figure>> = {
  funding: { label: 'settled funding rate', read: ({ funding }) => funding?.settled ?? null, overdue: SETTLED_RATE },
  estimate: {
    label: 'predicted funding rate of the current interval',
    read: ({ funding }) => funding?.estimate ?? null,
  },
  apr: {
    label: 'APR of the settled funding rate',
    read: ({ funding }) => funding?.settledApr ?? null,
    overdue: SETTLED_RATE,
  },
};

const TERM_LABELS: Readonly<Record<TermColumnId, string>> = {
  daysLeft: 'days to expiry',
  expiry: 'expiry',
  strike: 'strike',
  right: 'call or put',
  underlyingProduct: 'underlying product',
  legs: 'legs',
  contractSize: 'contract size',
  tickSize: 'tick size',
  hours: 'trading hours',
  firstDay: 'first trading day',
};

/** Explains where a figure comes from; for a name, gives its full text. */
export function createMarketTooltip(row: MarketRow, columnId: string, venueNow: number): CellTooltip | null {
  if (columnId === 'lastTrade') return explainLastTrade(row, venueNow);
  if (columnId === 'boundary') return explainNoCountdown(row, venueNow);
  const figure = FIGURES[columnId];
  if (figure !== undefined) return withCheck(toTooltip(figure, row), row, figure);
  if (isLaterFigure(columnId)) return toLaterTooltip(row, columnId);
  if (columnId === 'trading') return explainTrading(row);
  if (isTerm(columnId)) return toTermTooltip(row, columnId);
  const rate = RATES[columnId];
  if (rate !== undefined) return explainRate(rate, row, columnId === 'estimate');
  const { product_name: name } = row.product;
  return ['name', 'underlying'].includes(columnId) && name !== undefined
    ? { title: name, facts: [{ name: 'Symbol', value: nameOf(row) }] }
    : null;
}

const LATER_LABELS: Readonly<Record<LaterFigureName, string>> = {
  settlementChange: 'change from settlement to settlement',
  change24h: 'change in 24 hours',
  change7d: 'change in 7 days, by settlements',
  change30d: 'change in 30 days, by settlements',
  basisUsd: 'basis',
  basis: 'basis',
  basisYear: 'basis a year',
  interestChange: 'change of open interest',
  turnover: '24 h volume ÷ open interest',
};

function isLaterFigure(columnId: string): columnId is LaterFigureName {
  return Object.hasOwn(LATER_LABELS, columnId);
}

function toLaterTooltip(row: MarketRow, name: LaterFigureName): CellTooltip | null {
  const change = row.changes[name] ?? null;
  if (change === null) return null;
  const { quantity, missingBecause } = change;
  const title = `${nameOf(row)} ${LATER_LABELS[name]}: ${quantity === null ? NO_VALUE : describeQuantity(quantity)}`;
  return {
    title,
    facts:
      quantity === null ? [{ name: 'Missing', value: missingBecause }] : describeProvenance(quantity, formatInAllZones),
  };
}

function explainTrading(row: MarketRow): CellTooltip | null {
  const { trading, product } = row;
  if (trading === null) return null;
  const { daily_open_time: opens = '', daily_settle_time: settles = '' } = product;
  return {
    title: `${nameOf(row)}: ${trading.isOpen ? 'open' : 'closed'}`,
    facts: [
      ...(trading.isOpen ? [] : [{ name: 'Opens', value: describeOpening(trading.opensAt) }]),
      {
        name: 'Computed',
        value: `From the published times of its sessions, ${opens} to ${settles} in Chicago. Holidays are not published.`,
      },
    ],
  };
}

function describeOpening(opensAt: number | null): string {
  return opensAt === null ? 'Not again: its last session is over.' : formatInAllZones(opensAt);
}

function explainRate(rate: Figure, row: MarketRow, isPredicted: boolean): CellTooltip | null {
  const { estimate, settled, estimateNotCurrent, estimateDoubt, settledDoubt } = row.funding ?? {};
  return withReason(
    withReason(
      withPayer(toTooltip(rate, row), isPredicted ? estimate : settled),
      'Stale',
      (isPredicted ? estimateNotCurrent : null) ?? null,
    ),
    'In doubt',
    (isPredicted ? estimateDoubt : settledDoubt) ?? null,
  );
}

function isTerm(columnId: string): columnId is TermColumnId {
  return Object.hasOwn(TERM_LABELS, columnId);
}

function toTermTooltip(row: MarketRow, columnId: TermColumnId): CellTooltip | null {
  if (row.terms === null) return null;
  const term = TERMS[columnId](row.product, row.terms);
  return {
    title: `${nameOf(row)} ${TERM_LABELS[columnId]}: ${showTerm(term)}`,
    facts: describeTerm(term, formatInAllZones),
  };
}

function explainNoCountdown(row: MarketRow, venueNow: number): CellTooltip | null {
  const reason = whyNoCountdown(row.funding?.interval ?? null, venueNow);
  return reason === null
    ? null
    : { title: `${nameOf(row)}: no next funding time`, facts: [{ name: 'No countdown', value: reason }] };
}

function toTooltip({ label, read, overdue }: Figure, row: MarketRow): CellTooltip | null {
  const quantity = read(row);
  if (quantity === null) return explainMissing(label, row);
  const title = `${nameOf(row)} ${label}: ${describeQuantity(quantity)}`;
  const tooltip = { title, facts: describeProvenance(quantity, formatInAllZones) };
  return overdue === undefined ? tooltip : withOverdue(tooltip, overdue.noun, overdue.read(row.ages));
}

function explainMissing(label: string, row: MarketRow): CellTooltip | null {
  const because = whyMissing(label, row);
  return because === null
    ? null
    : { title: `${nameOf(row)} ${label}: ${NO_VALUE}`, facts: [{ name: 'Missing', value: because }] };
}

function whyMissing(label: string, { missingBecause, volumeMissingBecause }: MarketRow): string | null {
  if (label === VOLUME) return volumeMissingBecause;
  return FROM_TICKS.includes(label) ? missingBecause : null;
}

/** Adds the tick size check, because a price converted from ticks is only as good as the tick size. */
function withCheck(tooltip: CellTooltip | null, row: MarketRow, { label, read }: Figure): CellTooltip | null {
  if (tooltip === null || !FROM_TICKS.includes(label) || read(row)?.provenance.kind !== 'read') return tooltip;
  return { ...tooltip, facts: [...tooltip.facts, { name: 'Tick size check', value: describeCheck(row.check) }] };
}

function withPayer(tooltip: CellTooltip | null, rate: Quantity | null | undefined): CellTooltip | null {
  const value = rate?.value ?? null;
  if (tooltip === null || value === null) return tooltip;
  return { ...tooltip, facts: [{ name: 'Who pays', value: describeFunding(value) }, ...tooltip.facts] };
}
