import type { Day } from '#contract/exchange/instant.ts';
import { formatDay } from '#model/format/format-time.ts';
import { formatNumber, NO_VALUE } from '#model/format/number.ts';
import { type MarketRow, toLastSession, toMarketTotals } from '#model/markets/market-rows.ts';
import { toPriceAddress, toVolumeAddress } from '#model/products/product-address.ts';
import { dateOf } from '#model/time/session.ts';
import { CHANGE_SINCE_SETTLEMENT } from '#model/markets/market-prices.ts';
import type { Overdue } from '#model/time/overdue.ts';
import { toOrdersAddress } from '#page/panels/orders-address.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { linkCells, toggleCells } from '#page/kit/grid/cell-widgets.ts';
import type { TextMarks } from '#page/kit/grid/text-marks.ts';
import type { Navigator } from '#page/kit/navigator.ts';
import type { Clock } from '#model/tables/clock.ts';
import { fullNameOf, nameOf } from '#model/tables/markets/market-list.ts';
import { figureCells, formatPrice, type MarketColumn, quiet } from '#model/tables/markets/figure-cells.ts';
import { createFundingColumns } from './funding-columns.ts';
import { createLastTradeColumn } from '#model/tables/markets/last-trade-column.ts';
import type { Star } from '#page/panels/products/watchlist-store.ts';

interface ShownByDefault {
  readonly closed: boolean;
  readonly last: boolean;
  readonly settlement: boolean;
  readonly interest: boolean;
}

/**
 * Returns which dates to show, and whether to show what is closed. For dated contracts, last trades from earlier sessions are normal; a perpetual trades in
 * every session.
 */
export function findShown(rows: readonly MarketRow[]): ShownByDefault {
  return {
    closed: rows.some(({ trading }) => trading?.isOpen === false),
    last: rows.some(
      ({ product, ages }) => ages.overdueSettlement !== null || (product.type === 'perpetual' && ages.hasEarlierTrade),
    ),
    settlement: rows.some(({ ages }) => ages.hasEarlierSettlement),
    interest: rows.some(({ ages }) => ages.hasEarlierInterest),
  };
}

export interface ColumnContext {
  /** The number of decimals that prices are padded to, so that their decimal points align. */
  readonly alignedDigits: number;
  /** Which columns to show because some products are closed, or some figures are not from the newest session. */
  readonly shown: ShownByDefault;
  /** The days of open interest that is not of an earlier session, such as `27/29 Nov`; empty if unknown. */
  readonly interestDays: string;
  /** The days of the settlements that last prices are compared with; empty if unknown. */
  readonly settled: string;
  readonly navigator: Navigator;
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
  readonly star: Star;
  /** Undefined until its code has loaded. */
  readonly trend: Pick<MarketColumn, 'text' | 'value' | 'draw'> | undefined;
  /** The columns of contract terms. */
  readonly terms: readonly MarketColumn[];
  /** The columns of what is closed, and of the changes against earlier prices. */
  readonly changes: readonly MarketColumn[];
  /** Marks what the filter matches; null until its code has loaded. */
  readonly marks: TextMarks | null;
}

export function createColumns(context: ColumnContext): readonly MarketColumn[] {
  const { navigator, terms } = context;
  return [
    ...createProductColumns(context),
    ...terms,
    ...createPriceColumns(context),
    ...createActivityColumns(context),
    ...createFundingColumns(context),
    createOrdersColumn(navigator),
  ];
}

export function toPath({ product }: MarketRow): string {
  return toPriceAddress(product);
}

/** The column that the list is grouped by. */
export const UNDERLYING = 'underlying';
export const UNKNOWN_UNDERLYING = 'Unknown underlying';

function createProductColumns({ navigator, star, marks }: ColumnContext): readonly MarketColumn[] {
  const isOn = ({ productId }: MarketRow): boolean => star.isOn(productId);
  const cells = toggleCells<MarketRow>({
    stateAttribute: 'aria-pressed',
    isOn,
    label: (row) => `${nameOf(row)} in ${star.listName()}`,
    toggle: ({ productId }) => {
      star.toggle(productId);
    },
    watch: star.subscribe,
  });
  const text = { kind: 'text', value: (row: MarketRow) => nameOf(row) } as const;
  const link = linkCells<MarketRow>(navigator, { to: toPath, write: marks?.write });
  return [
    // The star's shape shows the state, so that colour is not the only signal.
    {
      id: 'favourite',
      title: 'Watchlist',
      titleHidden: true,
      unsorted: true,
      kind: 'text',
      width: 32,
      pinned: 'start',
      text: (row) => (isOn(row) ? '★' : '☆'),
      value: () => null,
      ...cells,
    },
    {
      id: 'symbol',
      title: 'Symbol',
      ...text,
      width: 136,
      pinned: 'start',
      text: nameOf,
      tone: ({ expiresSoon, checks }) => (checks.reasons.size > 0 ? 'withheld' : expiresSoon ? 'soon' : undefined),
      ...link,
      watch: marks?.watchBesides(navigator.subscribe) ?? navigator.subscribe,
    },
    {
      id: UNDERLYING,
      title: 'Underlying',
      hidden: true,
      unsorted: true,
      kind: 'text',
      width: 74,
      text: ({ product }) => product.contract_size_unit ?? UNKNOWN_UNDERLYING,
      value: ({ product }) => product.contract_size_unit ?? null,
      ...marks?.cells,
    },
    {
      id: 'name',
      title: 'Name',
      hidden: true,
      kind: 'text',
      width: 328,
      text: fullNameOf,
      value: ({ product }) => product.product_name ?? null,
      tone: quiet,
      ...marks?.cells,
    },
    {
      id: 'type',
      title: 'Type',
      hidden: true,
      kind: 'text',
      width: 76,
      text: ({ product }) => product.type ?? NO_VALUE,
      value: ({ product }) => product.type ?? null,
      tone: quiet,
      ...marks?.cells,
    },
  ];
}

const PENDING_CELLS = { text: () => '…', value: () => null };

function createPriceColumns({
  alignedDigits,
  shown,
  settled,
  changes,
  clock,
  toVenueTime,
  trend = PENDING_CELLS,
}: ColumnContext): readonly MarketColumn[] {
  // Wide enough for a price of six digits and five decimals, even where glyphs are snapped to whole pixels.
  const price = { unit: 'USD', width: 110 };
  const ofSettlement = settled === '' ? '' : ` · ${settled}`;
  const write = (row: MarketRow, quantity: Quantity): string => formatPrice(row, quantity, alignedDigits);
  const overdue = ({ ages }: MarketRow): Overdue | null => ages.overdueSettlement;
  const lastTrade = figureCells({ read: ({ last }) => last, write, overdue });
  return [
    // A last trade from before the settlement is not the current price, so it is shown quietly.
    {
      id: 'last',
      title: 'Last',
      ...price,
      ...lastTrade,
      flashes: true,
      tone: (row) => (row.change === null && overdue(row) === null ? 'quiet' : lastTrade.tone?.(row)),
    },
    createLastTradeColumn(clock, toVenueTime),
    {
      id: 'lastDate',
      title: 'Last date',
      ...DATE,
      hidden: !shown.last,
      ...dateCells(toLastSession, ({ ages }) => ages.hasEarlierTrade),
    },
    {
      id: 'change',
      title: CHANGE_SINCE_SETTLEMENT,
      ...price,
      unit: `USD${ofSettlement}`,
      ...figureCells({
        read: ({ change }) => change,
        directed: true,
        overdue,
        write: (row, quantity) => formatPrice(row, quantity, alignedDigits, true),
      }),
    },
    {
      id: 'changePercent',
      title: CHANGE_SINCE_SETTLEMENT,
      unit: `%${ofSettlement}`,
      width: 98,
      ...figureCells({ read: ({ changeFraction }) => changeFraction, directed: true, overdue }),
    },
    ...changes,
    {
      id: 'settlement',
      title: 'Settlement',
      ...price,
      ...figureCells({ read: ({ settlement }) => settlement, write, overdue }),
    },
    {
      id: 'settlementDate',
      title: 'Settlement date',
      ...DATE,
      hidden: !shown.settlement,
      ...dateCells(toSettlementDay, ({ ages }) => ages.hasEarlierSettlement),
    },
    { id: 'trend', title: 'Trend', unit: '30 d', unsorted: true, kind: 'text', width: 52, ...trend },
  ];
}

const DATE = { kind: 'number', width: 108 } as const;

/** Cells with a date that shows how old an earlier figure is. */
function dateCells(
  read: (row: MarketRow) => Day | null,
  isEarlier: (row: MarketRow) => boolean,
): Pick<MarketColumn, 'text' | 'value' | 'tone'> {
  const text = (row: MarketRow): string => {
    const day = read(row);
    return day === null ? NO_VALUE : formatDay(day);
  };
  return { text, value: read, tone: (row) => (isEarlier(row) ? 'old' : 'quiet') };
}

export function toSettlementDay({ settlementTime }: MarketRow): Day | null {
  return settlementTime === null ? null : dateOf(settlementTime);
}

const WHOLE = { digits: 0 };

function createActivityColumns({ navigator, shown, interestDays }: ColumnContext): readonly MarketColumn[] {
  const oi = `OI ${interestDays}`.trimEnd();
  const volume = (id: 'volume' | 'volumeUsd') => ({ id, ...figureCells({ read: (row) => row[id], format: WHOLE }) });
  const interest = (id: 'openInterest' | 'openInterestUsd') => ({
    id,
    ...figureCells({ read: (row) => row[id], format: WHOLE, overdue: ({ ages }) => ages.hasEarlierInterest || null }),
  });
  const sum = (id: 'volumeUsd' | 'openInterestUsd') => (rows: readonly MarketRow[]) => {
    const value = toMarketTotals(rows, id)[0]?.value ?? null;
    return { value: value?.toNumber() ?? null, text: formatNumber(value, WHOLE) };
  };
  return [
    { ...volume('volume'), title: '24 h volume', unit: 'contracts', width: 82 },
    { ...volume('volumeUsd'), title: '24 h volume', unit: 'USD', width: 94, subtotal: sum('volumeUsd') },
    {
      ...interest('openInterest'),
      title: oi,
      unit: 'contracts',
      width: 80,
      ...linkCells<MarketRow>(navigator, { to: ({ product }) => toVolumeAddress(product) }),
    },
    {
      ...interest('openInterestUsd'),
      title: oi,
      unit: 'USD',
      width: 94,
      subtotal: sum('openInterestUsd'),
    },
    {
      id: 'openInterestDate',
      title: 'OI date',
      kind: 'number',
      width: 58,
      hidden: !shown.interest,
      text: toInterestDay,
      value: ({ openInterestDate }) => openInterestDate,
      tone: ({ ages }) => (ages.hasEarlierInterest ? 'old' : 'quiet'),
    },
  ];
}

/** Open interest is only days old, so its date is shown without the year. */
const YEAR = ' 2026';

function toInterestDay({ openInterestDate: day }: MarketRow): string {
  return day === null ? NO_VALUE : toShortDay(day);
}

export function toShortDay(day: Day): string {
  return formatDay(day).slice(0, -YEAR.length);
}

function createOrdersColumn(navigator: Navigator): MarketColumn {
  const to = ({ product: { symbol } }: MarketRow): string | null =>
    symbol === undefined ? null : toOrdersAddress(symbol);
  return {
    id: 'orders',
    title: 'Orders',
    titleHidden: true,
    unsorted: true,
    kind: 'text',
    width: 58,
    text: ({ product }) => (product.symbol === undefined ? '' : 'Orders'),
    value: () => null,
    tone: quiet,
    ...linkCells<MarketRow>(navigator, { to, label: (row) => `Orders in ${nameOf(row)}` }),
  };
}
