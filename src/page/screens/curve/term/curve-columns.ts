import type { Day, Instant } from '#contract/exchange/instant.ts';
import { type BasisPrice, formatSettledAt } from '#model/basis/basis.ts';
import { formatCount } from '#model/format/count.ts';
import { formatDay, formatInAllZones } from '#model/format/format-time.ts';
import { formatMissing, formatNumber, formatQuantity, NO_VALUE, type NumberFormat } from '#model/format/number.ts';
import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import type { ChangedRow } from '#model/curve/curve-days.ts';
import { formatDays } from '#model/curve/describe-curve.ts';
import { countApart, type CurveFigure, whyMissing } from '#model/curve/curve-rows.ts';
import { toPriceAddress } from '#model/products/product-address.ts';
import { toDecimal } from '#model/units/decimal.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { linkCells } from '#page/kit/grid/cell-widgets.ts';
import type { Navigator } from '#page/kit/navigator.ts';
import type { FigureColumn } from '#page/panels/figure-grid.tsx';

type Column = FigureColumn<ChangedRow>;

interface FigureInputs extends Pick<Column, 'id' | 'title' | 'unit' | 'width' | 'tooltip' | 'tone'> {
  readonly read: (row: ChangedRow) => Quantity | null;
  readonly format: NumberFormat;
  /** Why there is no figure. */
  readonly why: (row: ChangedRow) => string | null;
  readonly isPending?: boolean;
}

function toColumn({ read, format, why, isPending = false, ...column }: FigureInputs): Column {
  return {
    ...column,
    kind: 'number',
    text: (row) => {
      const quantity = read(row);
      if (quantity === null) return isPending && why(row) === null ? formatMissing(true) : NO_VALUE;
      return quantity.withheld === null ? formatQuantity(quantity, format) : 'n/a';
    },
    value: (row) => read(row)?.value?.toNumber() ?? null,
    explain: (row) => explain(read(row), why(row), isPending),
  };
}

function explain(quantity: Quantity | null, why: string | null, isPending: boolean): readonly Fact[] {
  if (quantity !== null) return describeProvenance(quantity, formatInAllZones);
  return [{ name: 'No value', value: why ?? (isPending ? 'The earlier session is being read.' : 'Not published.') }];
}

interface ColumnInputs {
  /** Fraction digits of prices. */
  readonly digits: number;
  /** The session that changes are measured from: `26 Nov 2026`; null until one is known. */
  readonly since: string;
  /** The earlier session whose open interest is shown, or null. */
  readonly openInterestOf: Day | null;
  readonly isPending: boolean;
  /** The price that the basis is measured over, if it is not of the minute of the settlement. */
  readonly over: BasisPrice;
  readonly navigator: Navigator;
}

/** The columns of a curve's table. */
export function createCurveColumns({
  digits,
  since,
  openInterestOf,
  isPending,
  over,
  navigator,
}: ColumnInputs): readonly Column[] {
  // An index has more digits than a settlement.
  const wider = over === 'settlement' ? 0 : 20;
  const whyOf = (figure: CurveFigure) => (row: ChangedRow) => whyMissing(row, figure);
  const whyNoChange = ({ changeMissingBecause, refusedBecause }: ChangedRow) => refusedBecause ?? changeMissingBecause;
  return [
    {
      ...{ id: 'month', title: 'Month', kind: 'text', width: 76, pinned: 'start' },
      text: ({ name }) => name,
      value: ({ minutes, kind }) => (kind === 'perpetual' ? -1 : minutes),
      explain: explainMonth,
    },
    {
      ...{ id: 'product', title: 'Product', kind: 'text', width: 92 },
      text: ({ symbol }) => symbol ?? NO_VALUE,
      value: ({ symbol }) => symbol,
      explain: explainMonth,
      ...linkCells<ChangedRow>(navigator, { to: ({ product }) => product && toPriceAddress(product) }),
    },
    {
      ...{ id: 'days', title: 'To expiry', unit: 'days', kind: 'number', width: 66 },
      text: ({ kind, minutes }) => (kind === 'perpetual' ? NO_VALUE : formatDays(minutes)),
      value: ({ kind, minutes }) => (kind === 'perpetual' ? null : minutes),
      explain: explainMonth,
    },
    toColumn({
      ...{ id: 'settlement', title: 'Settlement', unit: 'USD', width: 84 + wider, format: { digits } },
      read: ({ settlement }) => settlement,
      why: whyOf('settlement'),
    }),
    toColumn({
      ...{ id: 'basis_usd', title: 'Basis', unit: 'USD', width: 72 + wider, format: { digits, signed: true } },
      read: ({ usd }) => usd,
      why: whyOf('usd'),
    }),
    toColumn({
      ...{ id: 'basis', title: 'Basis', unit: '%', width: 60, format: {} },
      read: ({ fraction }) => fraction,
      why: whyOf('fraction'),
    }),
    toColumn({
      ...{ id: 'basis_year', title: 'Basis', unit: '% a year', width: 70, format: {} },
      tooltip: 'Simple, actual/365: basis × 365 days ÷ time to expiry. None under 3 days.',
      read: ({ aYear }) => aYear,
      why: whyOf('aYear'),
    }),
    ...(over === 'settlement' ? [] : createNearColumns(over, digits)),
    toColumn({
      ...{ id: 'basis_change', title: 'Change', unit: '% points', width: 72, format: {}, isPending },
      tooltip: `Basis a year less that of ${since}`,
      read: ({ change }) => change,
      why: whyNoChange,
      tone: toTone,
    }),
    toColumn({
      ...{ id: 'open_interest', title: 'Open interest', format: {} },
      ...(openInterestOf === null
        ? { unit: 'contracts', width: 92 }
        : { unit: `contracts, ${formatDay(openInterestOf)}`, width: 148, tooltip: PUBLISHED_LATER }),
      read: ({ openInterest }) => openInterest,
      why: whyNoInterest,
    }),
    toColumn({
      ...{ id: 'open_interest_change', title: 'OI change', unit: 'contracts', width: 80, format: { signed: true } },
      ...{ tooltip: `Open interest less that of ${since}`, isPending },
      read: ({ openInterestChange }) => openInterestChange,
      why: (row) => row.changeMissingBecause ?? whyNoInterest(row),
    }),
  ];
}

/** The index or mark that a basis is measured over, and both times. */
function createNearColumns(over: BasisPrice, digits: number): readonly Column[] {
  const title = over === 'index' ? 'Index' : 'Mark';
  const toTime = (id: string, heading: string, read: (row: ChangedRow) => Instant | null): Column => ({
    ...{ id, title: heading, unit: 'UTC', kind: 'text', width: 108, explain: explainNear },
    text: (row) => {
      const at = read(row);
      return at === null ? NO_VALUE : formatShortly(at);
    },
    value: read,
  });
  return [
    toColumn({
      ...{ id: 'near', title, unit: 'USD', width: 104, format: { digits } },
      read: ({ near }) => near?.price ?? null,
      why: ({ near }) => near?.missingBecause ?? null,
    }),
    toTime('near_at', `${title} of`, ({ near }) => near?.at ?? null),
    toTime('settled_at', 'Settled', ({ settledAt }) => settledAt),
    {
      ...{ id: 'apart', title: 'Apart', unit: 'minutes', kind: 'number', width: 72, explain: explainNear },
      text: (row) => {
        const apart = countApart(row);
        return apart === null ? NO_VALUE : formatCount(apart);
      },
      value: countApart,
    },
  ];
}

function explainNear({ settledAt, near }: ChangedRow): readonly Fact[] {
  const at = near === null ? null : (near.missingBecause ?? formatInAllZones(near.at));
  return [
    ...(settledAt === null ? [] : [{ name: 'Settled', value: formatInAllZones(settledAt) }]),
    ...(near === null || at === null ? [] : [{ name: `${near.kind} of ${near.symbol}`, value: at }]),
  ];
}

/** `14 Aug, 21:00`. */
function formatShortly(at: Instant): string {
  return formatSettledAt(at)
    .replace(/ \d{4},/, ',')
    .replace(' UTC', '');
}

const PUBLISHED_LATER = 'Open interest is published the following morning.';

function whyNoInterest({ kind, openInterest }: ChangedRow): string | null {
  if (kind === 'constant') return 'A constant maturity is no product, so it has no open interest.';
  return openInterest?.value === null ? (openInterest.withheld ?? PUBLISHED_LATER) : null;
}

function toTone({ change }: ChangedRow): string | undefined {
  const value = change?.value ?? null;
  if (value === null || value.isZero()) return undefined;
  return value.gt(0) ? 'up' : 'down';
}

function explainMonth({ kind, symbol, minutes, expiresAt, settledAt }: ChangedRow): readonly Fact[] {
  if (kind === 'perpetual') return [{ name: 'Product', value: `${symbol ?? ''}, which never expires` }];
  return [
    ...(symbol === null ? [] : [{ name: 'Product', value: symbol }]),
    ...(expiresAt === null ? [] : [{ name: 'Final settlement', value: formatInAllZones(expiresAt) }]),
    ...(settledAt === null ? [] : [{ name: 'Settled', value: formatInAllZones(settledAt) }]),
    {
      name: 'To expiry',
      value: minutes === null ? NO_VALUE : `${formatNumber(toDecimal(String(minutes)))} minutes from the settlement`,
    },
  ];
}
