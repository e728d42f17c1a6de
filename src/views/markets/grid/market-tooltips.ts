import { describeProvenance } from '#domain/format-provenance.ts';
import { describeQuantity } from '#domain/format-quantity.ts';
import { describeFunding } from '#domain/funding/who-pays.ts';
import { describeCheck } from '#domain/increment-check.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import type { Quantity } from '#domain/quantity.ts';
import { withReason, type CellNote } from '#ui/grid/cell-tooltip.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { nameOf } from '../product-names.ts';

interface Figure {
  readonly told: string;
  readonly read: (row: MarketRow) => Quantity | null;
}

const LAST = 'last price';
const CHANGE = 'change since the settlement';
const VOLUME = 'volume of 24 h';

/** The figures of a row by their columns. */
const FIGURES: Readonly<Record<string, Figure>> = {
  last: { told: LAST, read: ({ last }) => last },
  settlement: { told: 'settlement', read: ({ settlement }) => settlement },
  change: { told: CHANGE, read: ({ change }) => change },
  changePercent: { told: CHANGE, read: ({ changeFraction }) => changeFraction },
  volume: { told: VOLUME, read: ({ volume }) => volume },
  volumeUsd: { told: VOLUME, read: ({ volumeUsd }) => volumeUsd },
  openInterest: { told: 'open interest', read: ({ openInterest }) => openInterest },
  openInterestUsd: { told: 'open interest', read: ({ openInterestUsd }) => openInterestUsd },
};

const RATES: Readonly<Record<string, Figure>> = {
  funding: { told: 'funding, last settled', read: ({ funding }) => funding?.settled ?? null },
  estimate: { told: 'funding, estimate of the interval in progress', read: ({ funding }) => funding?.estimate ?? null },
  apr: { told: 'APR of the last settled funding', read: ({ funding }) => funding?.settledApr ?? null },
};

/** Where a figure of the list comes from; for a name, the whole of it. */
export function createMarketTooltip(row: MarketRow, columnId: string): CellNote | null {
  const figure = FIGURES[columnId];
  if (figure !== undefined) return withCheck(toNote(figure, row), row, figure);
  const rate = RATES[columnId];
  if (rate !== undefined) return withReason(withPayer(toNote(rate, row), row), columnId === 'estimate' ? (row.funding?.estimateNotCurrent ?? null) : null);
  const { product_name: name } = row.product;
  return ['name', 'underlying'].includes(columnId) && name !== undefined ? { title: name, facts: [{ name: 'Symbol', value: nameOf(row) }] } : null;
}

function toNote({ told, read }: Figure, row: MarketRow): CellNote | null {
  const quantity = read(row);
  if (quantity === null) return null;
  const title = `${nameOf(row)} ${told}: ${describeQuantity(quantity)}`;
  return { title, facts: describeProvenance(quantity, formatInAllZones) };
}

/** What was made of ticks is as good as their increment. */
function withCheck(note: CellNote | null, row: MarketRow, { told, read }: Figure): CellNote | null {
  const isOfTicks = [LAST, CHANGE, FIGURES['settlement']?.told].includes(told);
  if (note === null || !isOfTicks || read(row)?.provenance.kind !== 'read') return note;
  return { ...note, facts: [...note.facts, { name: 'Check', value: describeCheck(row.check) }] };
}

/** Who pays whom is said in words. */
function withPayer(note: CellNote | null, { funding }: MarketRow): CellNote | null {
  const rate = funding?.settled?.value ?? null;
  if (note === null || rate === null) return note;
  return { ...note, facts: [{ name: 'Last settled', value: describeFunding(rate) }, ...note.facts] };
}
