import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import type { DeskObservedPrices, ObservedPrice } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { type CsvForm, SOURCE_HEADING, toCsvInForm, toExactNumber, toSourceCells } from '../../format/csv.ts';
import { countOf } from '../../format/count.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { countPriceDigits, formatNumber, NO_VALUE } from '../../format/number.ts';
import { describeFigure, type ProvenanceLine } from '../../format/provenance.ts';
import { toLastPrice, type TicksConversion } from '../../markets/market-prices.ts';
import type { Sourced } from '../../response.ts';
import { toMillis } from '../../time/session.ts';
import { toDecimal } from '../../units/decimal.ts';
import { type Quantity, toQuantity } from '../../units/quantity.ts';
import { type ChartData, type Level, type ReadoutProvenance, tagNewest, withProvenance } from '../chart-data.ts';

/** A last price, and how long readings showed it. Times are in epoch milliseconds. */
export interface ObservedStretch {
  /** The reading that showed it first. */
  readonly from: number;
  /** The reading that showed another price, the last one before a gap, or the last one of all. */
  readonly until: number;
  readonly row: ObservedPrice;
  /** In USD, or in ticks where they cannot be converted. */
  readonly last: Quantity;
}

/** Returns the prices of a product as readings showed them, oldest first. */
export function toObservedStretches(
  response: Sourced<DeskObservedPrices>,
  conversion: TicksConversion,
): readonly ObservedStretch[] {
  const { prices, gaps, read_to: readTo } = response.value;
  const ends = [...prices.map(({ read_at: at }) => at), ...gaps.map((gap) => gap.from), ...(readTo ? [readTo] : [])]
    .map(toMillis)
    .sort((a, b) => a - b);
  return prices.map((row) => {
    const from = toMillis(row.read_at);
    const isGap = gaps.some((gap) => toMillis(gap.from) === from);
    const until = isGap ? from : (ends.find((end) => end > from) ?? from);
    return { from, until, row, last: toLastPrice(response, row, conversion) };
  });
}

/** Says in sentences how much of a session was read, and whether there was a trade in it. */
export function describeObserved(
  { gaps, prices }: DeskObservedPrices,
  sessionFrom: number,
  formatTime: (epochMillis: number) => string,
): readonly string[] {
  const [first, last] = [prices[0], prices.at(-1)];
  if (first === undefined || last === undefined) return [];
  const inner = gaps.filter(({ to }) => to !== first.read_at);
  const tradedAt = last.last_price_time;
  return [
    ...(inner.length < gaps.length ? [`Nothing was read before ${formatTime(toMillis(first.read_at))}.`] : []),
    ...(inner.length > 0 ? [`${countOf(inner.length, 'gap')} in which nothing was read: left empty.`] : []),
    ...(gaps.length === 0 ? ['Read throughout.'] : []),
    ...(tradedAt !== null && toMillis(tradedAt) < sessionFrom ? ['No trade in this session: the price is older.'] : []),
  ];
}

/** Readings within a minute share a slot of the chart, which shows the last of them, at the end of the minute. */
const SLOT_MS = 60_000;

interface ObservedChartInput {
  readonly response: Sourced<DeskObservedPrices>;
  readonly stretches: readonly ObservedStretch[];
  /** The period, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly conversion: TicksConversion;
  readonly formatTime: (epochMillis: number) => string;
}

/**
 * Draws the last prices as a line with a slot for every minute from the first reading on, also for those in which
 * nothing was read: gaps stay. A price begins at the end of its minute, never before it was read.
 */
export function toObservedChartData(input: ObservedChartInput): ChartData {
  const { response, stretches, to, conversion, formatTime } = input;
  const { unit } = conversion;
  const from = Math.max(input.from, Math.floor((stretches[0]?.from ?? 0) / SLOT_MS) * SLOT_MS);
  const end = Math.min(to, toMillis(response.value.read_to ?? ('' as Instant)) || from);
  const times = Array.from(
    { length: Math.max(1, Math.ceil((end - from) / SLOT_MS)) },
    (_, slot) => from + (slot + 1) * SLOT_MS,
  );
  const bySlot = toSlots(stretches, times);
  const values = bySlot.map((stretch) => stretch?.last.value?.toNumber() ?? null);
  const digits = unit === 'ticks' ? 0 : countPriceDigits(stretches.map(({ last }) => last.value?.toFixed() ?? null));
  const at = (slot: number, read: (stretch: ObservedStretch) => string): string => {
    const stretch = bySlot[slot];
    return stretch ? read(stretch) : NO_VALUE;
  };
  const chartData: ChartData = {
    times: times.map((time) => time / 1_000),
    timeName: 'Read by',
    timeText: (slot) => `${formatTime(times[slot] ?? 0)}${bySlot[slot] === null ? ', nothing read' : ''}`,
    panes: [
      {
        ...{ name: 'Last price', unit, share: 1, logarithmic: true },
        format: (value) => formatNumber(toDecimal(String(value)), { digits }),
        series: [{ kind: 'line', ink: 'accent', held: true, values }],
        tags: [...tagNewest('Last', 'accent', values), ...toSettlementTag(stretches, response, conversion)],
      },
    ],
    readouts: [
      {
        name: 'Last price',
        unit,
        ink: 'accent',
        text: (slot) => at(slot, ({ last }) => formatNumber(last.value, { digits })),
      },
      {
        name: 'Traded at',
        unit: '',
        text: (slot) => at(slot, ({ row }) => toTimeText(row.last_price_time, formatTime)),
      },
      { name: 'First read at', unit: '', text: (slot) => at(slot, (stretch) => formatTime(stretch.from)) },
    ],
  };
  return withProvenance(chartData, explain(bySlot));
}

/** Finds the last stretch that reaches into each slot; null in a gap. Both ascend. */
function toSlots(stretches: readonly ObservedStretch[], times: readonly number[]): readonly (ObservedStretch | null)[] {
  let next = 0;
  return times.map((time) => {
    while ((stretches[next]?.from ?? Infinity) <= time) next += 1;
    const found = stretches[next - 1];
    return found !== undefined && found.until > time - SLOT_MS ? found : null;
  });
}

function toTimeText(at: Instant | null, formatTime: (epochMillis: number) => string): string {
  return at === null ? NO_VALUE : formatTime(toMillis(at));
}

/** Marks the settlement that was the newest one when the last price was read. */
function toSettlementTag(
  stretches: readonly ObservedStretch[],
  source: Sourced<DeskObservedPrices>,
  conversion: TicksConversion,
): readonly Level[] {
  const row = stretches.at(-1)?.row;
  if (row === undefined) return [];
  const { value } = toQuantity({ source, dataTime: row.settlement_time }, row, 'settlement_price', conversion);
  return value === null ? [] : [{ name: 'Settle', value: value.toNumber(), ink: 'muted' }];
}

function explain(bySlot: readonly (ObservedStretch | null)[]): ReadoutProvenance {
  return {
    'Last price': (slot) => {
      const stretch = bySlot[slot];
      if (!stretch) return [{ name: 'No value', value: 'product data were not read' }];
      return [...describeFigure(stretch.last, formatInAllZones), ...toReadings(stretch)];
    },
  };
}

function toReadings({ from, until }: ObservedStretch): readonly ProvenanceLine[] {
  return [
    { name: 'First read', value: formatInAllZones(from) },
    { name: 'Held until', value: formatInAllZones(until) },
  ];
}

const HEADING: readonly CsvColumn[] = [
  'observed_at',
  'observed_until',
  'product_id',
  'symbol',
  'last_price_usd',
  'last_price_at',
  ...SOURCE_HEADING,
];

/** Writes a row for each price. Between `observed_until` and the next `observed_at`, nothing was read. */
export function toObservedCsv(
  stretches: readonly ObservedStretch[],
  { symbol, source }: { readonly symbol: string; readonly source: Sourced<unknown> },
  form: CsvForm = 'full',
): string {
  const rows = stretches.map(({ from, until, row, last }) => [
    ...[new Date(from).toISOString(), new Date(until).toISOString(), String(row.product_id), symbol],
    last.unit === 'USD' ? toExactNumber(last.value) : null,
    row.last_price_time,
    ...toSourceCells(source),
  ]);
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}
