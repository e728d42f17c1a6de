import type { DeskFunding } from '#contract/desk/funding.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf } from '../../format/count.ts';
import type { Cell, MoreColumns } from '../../format/csv.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { formatBasisPoints, formatRate, NO_VALUE } from '../../format/number.ts';
import { describeProvenance, type Fact } from '../../format/provenance.ts';
import type { TimedPrint } from '../../funding/funding-faults.ts';
import { premiumOf, toFundingPrice, toPremium, whyNoPremium } from '../../funding/funding-prices.ts';
import { INTERVALS_PER_DAY } from '../../funding/funding-rate.ts';
import { toPerpetualSeries, withReadTime } from '../../funding/funding-series.ts';
import type { ApiResponse, Source } from '../../response.ts';
import { type Period, toPeriodStart } from '../../time/date-range.ts';
import { addDays, addMonths, sessionOf } from '../../time/session.ts';
import { type Decimal, sumOf, toDecimal } from '../../units/decimal.ts';
import { asRate, asTicks, deriveQuantity, toQuantity } from '../../units/quantity.ts';
import type { ChartData, Ink, Pane, Readout } from '../chart-data.ts';
import type { PriceData, PriceSlot } from '../price/price-data.ts';
import type { IndicatorKind } from './indicator-spec.ts';

/** The settled rates of a bar of the chart. */
interface SlotRates {
  readonly slot: PriceSlot;
  readonly prints: readonly TimedPrint[];
  /** How many funding times the whole bar has. */
  readonly expected: number;
}

export interface FundingOfBars {
  readonly source: Source;
  readonly slots: readonly SlotRates[];
}

/** Assigns each settled rate to the bar of the session in which its funding time lies. */
export function toFundingOfBars(
  { slots, period }: Pick<PriceData, 'slots' | 'period'>,
  response: ApiResponse<DeskFunding>,
): FundingOfBars {
  const [perpetual] = toPerpetualSeries(response, null);
  const byBar = Map.groupBy(perpetual?.series.prints ?? [], ({ end }) =>
    toPeriodStart(sessionOf(end, { everyDay: true }), period),
  );
  return {
    source: withReadTime(response, perpetual?.row.read_at ?? null),
    slots: slots.map((slot) => ({
      slot,
      prints: byBar.get(slot.key) ?? [],
      expected: INTERVALS_PER_DAY * daysOf(slot.key, period),
    })),
  };
}

const DAY_MS = 86_400_000;

function daysOf(first: Day, period: Period): number {
  const next = { '1D': addDays(first, 1), '1W': addDays(first, 7), '1M': addMonths(first, 1) }[period];
  return (Date.parse(next) - Date.parse(first)) / DAY_MS;
}

/** Whether all rates of a settled bar are known: a sum of some would be taken for that of all. */
function isWhole({ slot, prints, expected }: SlotRates): boolean {
  return slot.running === null && prints.length === expected;
}

interface Figure {
  readonly unit: string;
  readonly format: (value: Decimal | null) => string;
  /** For drawing only. */
  readonly draw: (rates: SlotRates) => number | null;
  readonly read: (rates: SlotRates) => Decimal | null;
  readonly column: MoreColumns['heading'][number];
  readonly explain: (rates: SlotRates, source: Source) => readonly Fact[];
}

const FIGURES: Partial<Readonly<Record<IndicatorKind, Figure>>> = {
  funding: {
    unit: '% per bar',
    format: formatRate,
    draw: (rates) =>
      isWhole(rates) ? rates.prints.reduce((sum, { row }) => sum + toNumber(row.funding_rate), 0) : null,
    read: (rates) =>
      isWhole(rates) ? sumOf(rates.prints.map(({ row }) => toDecimal(wireText(row, 'funding_rate')))) : null,
    column: 'funding_sum_fraction',
    explain: (rates, source) => {
      if (!isWhole(rates)) return [{ name: 'No value', value: whyNotWhole(rates) }];
      const parts = rates.prints.map(({ row }) =>
        toQuantity({ source, dataTime: row.interval_end, prefix: 'prints.' }, row, 'funding_rate', asRate),
      );
      const how = `Sum of the ${countOf(parts.length, 'settled rate')} of the bar, as published: positive, longs pay.`;
      return describeProvenance(deriveQuantity('fraction', how, parts, sumOf), formatInAllZones);
    },
  },
  premium: {
    unit: 'bp',
    format: formatBasisPoints,
    draw: ({ slot, prints }) => {
      const row = prints.at(-1)?.row;
      return slot.running !== null || row === undefined || whyNoPremium(row) !== null
        ? null
        : toNumber(row.mark_price) / toNumber(row.price_index) - 1;
    },
    read: ({ slot, prints }) => {
      const row = prints.at(-1)?.row;
      return slot.running !== null || row === undefined ? null : premiumOf(row);
    },
    column: 'funding_premium_fraction',
    explain: (rates, source) => {
      const row = rates.prints.at(-1)?.row;
      if (rates.slot.running !== null || row === undefined) return [{ name: 'No value', value: whyNotWhole(rates) }];
      const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
      const premium = toPremium(
        toFundingPrice(at, row, 'mark_price', asTicks),
        toFundingPrice(at, row, 'price_index', asTicks),
      );
      return [
        { name: 'Funding time', value: formatInAllZones(row.interval_end) },
        ...describeProvenance(premium, formatInAllZones),
      ];
    },
  },
};

function whyNotWhole({ slot, prints, expected }: SlotRates): string {
  if (slot.running !== null) return 'The session is in progress, and rates of it are still to settle.';
  return `Only ${String(prints.length)} of the ${String(expected)} settled rates of this bar are known.`;
}

interface FundingLook {
  readonly name: string;
  readonly kind: IndicatorKind;
  readonly ink: Ink;
  readonly isHidden: boolean;
}

/** Adds a pane with the funding of each bar, or with the premium at its last funding time. */
export function withFunding(chartData: ChartData, funding: FundingOfBars, look: FundingLook): ChartData {
  const { name, kind, ink, isHidden } = look;
  const figure = FIGURES[kind];
  if (figure === undefined) return chartData;
  const { unit, format, draw, read, explain } = figure;
  const pane: Pane = {
    name,
    unit,
    share: 2,
    slim: true,
    format: (value) => format(toDecimal(String(value))),
    series: [{ kind: 'columns', ink, values: funding.slots.map(draw) }],
    levels: [{ name: '', value: 0, ink: 'faint' }],
  };
  const readout: Readout = {
    name,
    unit,
    ink,
    isSettledOnly: true,
    text: (index) => {
      const rates = funding.slots[index];
      const value = rates === undefined ? null : read(rates);
      return value === null ? NO_VALUE : format(value);
    },
    explain: (index) => {
      const rates = funding.slots[index];
      return rates === undefined ? [] : explain(rates, funding.source);
    },
  };
  return {
    ...chartData,
    panes: isHidden ? chartData.panes : [...chartData.panes, pane],
    readouts: [...chartData.readouts, readout],
  };
}

/** As for all that is computed by division. */
const SIGNIFICANT_DIGITS = 15;

export function toFundingColumns(funding: FundingOfBars, kinds: readonly IndicatorKind[]): MoreColumns {
  const figures = kinds.flatMap((kind) => FIGURES[kind] ?? []);
  return {
    heading: figures.map(({ column }) => column),
    cells: (index) => {
      const rates = funding.slots[index];
      return figures.map(({ read }): Cell => {
        const value = rates === undefined ? null : read(rates);
        return value && { digits: value.toSignificantDigits(SIGNIFICANT_DIGITS).toFixed() };
      });
    },
  };
}
