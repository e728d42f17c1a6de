import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { asContracts, deriveQuantity, fromCents, type Quantity, toQuantity } from '../units/quantity.ts';
import { type Decimal, sumOf } from '../units/decimal.ts';
import type { Source } from '../response.ts';
import { findLatestOpenInterest, readVoi, sortByDate, type VoiField, whyVoiWithheld } from './voi-rows.ts';
import { formatDay } from '../format/format-time.ts';
import { formatCount, nameSome } from '../format/count.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { addDays } from '../time/session.ts';
import { type Period, toPeriodStart } from '../time/date-range.ts';

/** Volume and open interest of one or more sessions. Null: no value. */
export interface VoiBar {
  /** Date of the first session. */
  readonly date: Day;
  readonly lastDate: Day;
  readonly volume: Decimal | null;
  readonly volumeUsd: Decimal | null;
  /** From the last session that has some: a level, which is never summed over time. */
  readonly openInterest: Decimal | null;
  readonly openInterestUsd: Decimal | null;
  readonly openInterestDate: Day | null;
  /** As a float, precise enough for a line on a chart. */
  readonly drawnOpenInterest: number | null;
  /** Why a figure is withheld; null where it is not. */
  readonly whyWithheld: (field: VoiField) => string | null;
}

/** Groups rows into bars of a period. Rows may be in any order. */
export function toVoiBars(rows: readonly VOIDataPoint[], period: Period): readonly VoiBar[] {
  const groups: Rows[] = [];
  let current: Day | null = null;
  for (const row of sortByDate(rows)) {
    const key = toPeriodStart(row.date, period);
    if (key === current) groups.at(-1)?.push(row);
    else groups.push([row]);
    current = key;
  }
  return groups.map((group) => new RowsBar(group));
}

type Rows = [VOIDataPoint, ...VOIDataPoint[]];

/** Figures are computed on demand: a chart has thousands of bars but needs only one or two figures of each. */
class RowsBar implements VoiBar {
  readonly #rows: Readonly<Rows>;

  constructor(rows: Readonly<Rows>) {
    this.#rows = rows;
  }

  get date(): Day {
    return this.#rows[0].date;
  }

  get lastDate(): Day {
    return (this.#rows.at(-1) ?? this.#rows[0]).date;
  }

  get volume(): Decimal | null {
    return this.#sum('volume');
  }

  get volumeUsd(): Decimal | null {
    return this.#sum('notionalVolume');
  }

  /** Without a withheld part, the sum would be too low. */
  #sum(field: VoiField): Decimal | null {
    return this.whyWithheld(field) === null ? sumOf(this.#rows.map((row) => readVoi(row, field))) : null;
  }

  whyWithheld = (field: VoiField): string | null => {
    const isLevel = field === 'openInterest' || field === 'notionalOpenInterest';
    const level = this.#level ?? this.#rows.at(-1);
    return whyVoiWithheld(isLevel && level !== undefined ? [level] : this.#rows, field);
  };

  get #level(): VOIDataPoint | null {
    return findLatestOpenInterest(this.#rows);
  }

  get openInterest(): Decimal | null {
    return this.#level && readVoi(this.#level, 'openInterest');
  }

  get openInterestUsd(): Decimal | null {
    return this.#level && readVoi(this.#level, 'notionalOpenInterest');
  }

  get openInterestDate(): Day | null {
    return this.#level?.date ?? null;
  }

  get drawnOpenInterest(): number | null {
    const contracts = this.#level?.openInterest ?? null;
    return contracts === null ? null : toNumber(contracts);
  }
}

/**
 * Computes a figure of a bar with its provenance: volume is summed, open interest comes from the last day that has
 * some.
 */
export function toVoiQuantity(
  rows: readonly VOIDataPoint[],
  source: Source,
  bar: Pick<VoiBar, 'date' | 'lastDate'>,
  field: VoiField,
): Quantity | null {
  const inside = sortByDate(rows.filter(({ date }) => date >= bar.date && date <= bar.lastDate));
  const last = findLatestOpenInterest(inside) ?? inside.at(-1);
  if (last === undefined) return null;
  if (inside.length === 1 || field === 'openInterest' || field === 'notionalOpenInterest')
    return read(last, source, field);
  const parts = inside
    .map((row) => read(row, source, field))
    .filter(({ value, withheld }) => value !== null || withheld !== null);
  const how = `Sum of ${formatCount(parts.length)} days from ${inside[0]?.date ?? ''} to ${inside.at(-1)?.date ?? ''}.`;
  return deriveQuantity(field === 'volume' ? 'contracts' : 'USD', how, parts, sumOf);
}

function read(row: VOIDataPoint, source: Source, field: VoiField): Quantity {
  const at = { source, dataTime: row.date };
  return field === 'volume' || field === 'openInterest'
    ? toQuantity(at, row, field, asContracts)
    : toQuantity(at, row, field, fromCents);
}

/**
 * Describes the sessions between others for which the exchange has no row at all, in a sentence; null if there are none.
 * Sums of weeks and months lack them. Only for products that trade every day: others have holidays.
 */
export function describeMissingDays(rows: readonly Pick<VOIDataPoint, 'date'>[], everyDay: boolean): string | null {
  if (!everyDay || rows.length === 0) return null;
  const known = new Set(rows.map(({ date }) => date));
  const sorted = [...known].sort();
  const last = sorted.at(-1) ?? '';
  const missing: Day[] = [];
  for (let day = sorted[0]; day !== undefined && day < last; day = addDays(day, 1))
    if (!known.has(day)) missing.push(day);
  return missing.length === 0 ? null : `No volume or open interest published for ${nameSome(missing.map(formatDay))}.`;
}

/**
 * Describes the days whose open interest the exchange has skipped, in a sentence; null if there are none. Days after
 * the newest published one are not skipped but still to come.
 */
export function describeUnpublished(rows: readonly VOIDataPoint[]): string | null {
  const days = new Map(rows.map(({ date }) => [date, false]));
  for (const { date, openInterest } of rows) if (openInterest !== null) days.set(date, true);
  const newest = [...days].reduce((latest, [date, isPublished]) => (isPublished && date > latest ? date : latest), '');
  const missing = [...days].flatMap(([date, isPublished]) => (!isPublished && date < newest ? [date] : [])).sort();
  return missing.length === 0 ? null : `Open interest not published for ${nameSome(missing.map(formatDay))}.`;
}
