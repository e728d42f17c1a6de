import type { ApiResponse, Source } from '../../response.ts';
import type { RunningSession } from '../../price/running-session.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { toDecimal } from '../../units/decimal.ts';
import { toCsvInForm, type Cell, type CsvForm, type MoreColumns } from '../../format/csv.ts';
import { findBadPrices, isUnpriced, type PriceData, type PriceSlot, toBarSoFar } from './price-data.ts';
import { changeAt } from './price-chart.ts';
import type { NamedProduct } from '../../products/product-directory.ts';

const FIGURES: readonly CsvColumn[] = [
  'date',
  'last_session_date',
  'sessions',
  'bar',
  'open_usd',
  'high_usd',
  'low_usd',
  'close_usd',
  'settlement_usd',
  'volume_contracts',
  'open_interest_contracts',
  'open_interest_date',
  'product_id',
  'symbol',
];
const SOURCES: readonly CsvColumn[] = [
  'price_endpoint',
  'price_request',
  'price_responded_at',
  'price_received_at',
  'price_age_s',
  'price_source',
  'price_unit',
  'price_factor',
  'price_request_id',
  'volume_oi_request',
  'volume_oi_responded_at',
  'volume_oi_received_at',
  'volume_oi_source',
];
/** These come last in either form, because programs know the columns before them by position. */
const JUDGED: readonly CsvColumn[] = ['change_fraction', 'bad_ticks', 'change_usd', 'change_percent'];

interface CsvSources {
  readonly prices: ApiResponse<unknown>;
  readonly voi: ApiResponse<unknown> | undefined;
}

/** Writes the slots as shown. Without provenance, the file is a third of the size. */
export function toPriceCsv(
  data: PriceData,
  named: NamedProduct,
  sources: CsvSources,
  form: CsvForm = 'full',
  more?: MoreColumns,
): string {
  const { heading, lines } = toPriceTable(data, named, sources);
  return toCsvInForm(
    form,
    { heading: [...heading, ...(more?.heading ?? [])], provenance: SOURCES },
    lines.map((line, index) => [...line, ...(more?.cells(index) ?? [])]),
  );
}

/** Returns the columns of the full form and a line for each slot. */
export function toPriceTable(data: PriceData, named: NamedProduct, { prices, voi }: CsvSources) {
  const ofPrices = toPriceSource(prices, 'USD', 1);
  const ofVoi: readonly Cell[] = voi
    ? [`GET ${voi.target}`, voi.respondedAt, toIso(voi.receivedAt), voi.cache]
    : [null, null, null, null];
  const toSources = ({ bar, running }: PriceSlot): readonly Cell[] => [
    ...(running === null ? ofPrices : bar === null ? toRunningSource(running) : joinSources(ofPrices, running)),
    ...ofVoi,
  ];
  const lines: readonly (readonly Cell[])[] = data.slots.map((slot, index) => [
    ...toFigures(slot, data, named),
    ...toSources(slot),
    ...toJudged(data, index),
  ]);
  return { heading: [...FIGURES, ...SOURCES, ...JUDGED], lines };
}

function toFigures(slot: PriceSlot, { period }: PriceData, { id, product }: NamedProduct): readonly Cell[] {
  return [...toCells(slot, period === '1D' ? 'published' : `computed ${period}`), String(id), product?.symbol ?? null];
}

/** Enough to recompute a price with all of its digits. */
const FRACTION_DIGITS = 10;
/** As in the files of Markets and of orders. */
const PERCENT_DIGITS = 6;

function toJudged({ slots }: PriceData, index: number): readonly Cell[] {
  const [slot, change] = [slots[index], changeAt(slots, index)];
  const bad = slot === undefined ? [] : findBadPrices(slot);
  const fraction = change?.fraction ?? null;
  return [
    fraction && { digits: fraction.toDecimalPlaces(FRACTION_DIGITS).toFixed() },
    bad.length === 0 ? 'none' : bad.join(' '),
    change && { digits: change.absolute.toFixed() },
    fraction && { digits: fraction.times(100).toDecimalPlaces(PERCENT_DIGITS).toFixed() },
  ];
}

type SourceCell = string | number | null;

function toPriceSource(
  { endpoint, target, respondedAt, receivedAt, ageSeconds, cache, requestId }: Source,
  wireUnit: string,
  factor: string | number,
): readonly SourceCell[] {
  return [endpoint, `GET ${target}`, respondedAt, toIso(receivedAt), ageSeconds, cache, wireUnit, factor, requestId];
}

/** Names the unit of the source, since product data are in ticks. */
function toRunningSource({ source, last: { provenance } }: RunningSession): readonly SourceCell[] {
  return provenance.kind === 'read' ? toPriceSource(source, provenance.wireUnit, provenance.factor) : [];
}

/** Names both sources of a week or month whose last session is still running, first that of the settled ones. */
function joinSources(ofPrices: readonly SourceCell[], running: RunningSession): readonly Cell[] {
  const others = toRunningSource(running);
  return ofPrices.map((cell, index) => [cell, others[index]].map((part) => part ?? '–').join(' + '));
}

function toCells(slot: PriceSlot, kind: string): readonly Cell[] {
  const { voi } = slot;
  return [slot.key, ...toBarCells(slot, kind), voi?.openInterest?.toNumber() ?? null, voi?.openInterestDate ?? null];
}

function toBarCells(slot: PriceSlot, kind: string): readonly Cell[] {
  const { bar, running } = slot;
  const soFar = toBarSoFar(slot);
  if (soFar === null)
    return [null, 0, isUnpriced(slot) ? 'price not known' : 'no trades', null, null, null, null, null, null];
  // The last price of a running session stands in for its close; it has no settlement yet.
  const prices = [soFar.open, soFar.high, soFar.low, soFar.close, bar?.settlement ?? null].map(
    (price) => price && { digits: toDecimal(price).toFixed() },
  );
  const name = running === null ? kind : bar === null ? 'running session' : `${kind} with running session`;
  return [soFar.lastDate, soFar.sessions, name, ...prices, soFar.volume];
}

function toIso(epochMillis: number): string {
  return new Date(epochMillis).toISOString();
}
