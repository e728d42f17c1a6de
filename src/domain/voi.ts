import { toNumber } from '#contract/brand.ts';
import type { Day } from '#contract/day.ts';
import { wireText } from '#contract/json-text.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { toPeriodStart, type Period } from './bars.ts';
import { sumOf, toDecimal, type Decimal } from './decimal.ts';

/** One product's rows, or the venue's total of several, ascending by date; where a date came twice, the later row. */
export function sortByDate(rows: readonly VOIDataPoint[]): VOIDataPoint[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Each product's rows, as `sortByDate` has them. */
export function groupByProduct(rows: readonly VOIDataPoint[]): ReadonlyMap<number, readonly VOIDataPoint[]> {
  const groups = Map.groupBy(rows, ({ productId }) => toNumber(productId));
  return new Map([...groups].map(([id, group]) => [id, sortByDate(group)]));
}

/** The row of the last day that tells open interest: it comes the morning after, so the last session usually has none yet. */
export function findLatestOpenInterest(rows: readonly VOIDataPoint[]): VOIDataPoint | null {
  return rows.reduce<VOIDataPoint | null>((latest, row) => (row.openInterest === null || (latest !== null && latest.date > row.date) ? latest : row), null);
}

/**
 * The settlement price that a day's open interest was valued at: notional / contracts / contract size. USD without any
 * increment, so it can be held against one. Null without open interest; the sign of a spread's price is lost in it.
 */
export function toImpliedSettlement(row: VOIDataPoint, contractSize: string): Decimal | null {
  const [cents, contracts] = [wireText(row, 'notionalOpenInterest'), wireText(row, 'openInterest')];
  if (cents === null || contracts === null) return null;
  const units = toDecimal(contracts).times(contractSize);
  const usd = toDecimal(cents).div(100);
  return units.gt(0) && usd.gt(0) ? usd.div(units) : null;
}

/** Volume and open interest of one or more sessions. Nulls say that there is no figure. */
export interface VoiBar {
  /** Date of the first session in it. */
  readonly date: Day;
  readonly lastDate: Day;
  readonly volume: Decimal | null;
  readonly volumeUsd: Decimal | null;
  /** At the end: of the last session in it that has one. It is a level, and is never added up over time. */
  readonly openInterest: Decimal | null;
  readonly openInterestUsd: Decimal | null;
  readonly openInterestDate: Day | null;
  /** As near as a line on a chart needs it: thousands of exact ones would hold it up. */
  readonly drawnOpenInterest: number | null;
}

/** Rows as `sortByDate` takes them, as bars of a period. */
export function toVoiBars(rows: readonly VOIDataPoint[], period: Period): readonly VoiBar[] {
  const groups = new Map<Day, VOIDataPoint[]>();
  for (const row of sortByDate(rows)) {
    const key = toPeriodStart(row.date, period);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap(toVoiBar);
}

function toVoiBar(rows: readonly VOIDataPoint[]): readonly VoiBar[] {
  const [first] = rows;
  const last = rows.at(-1);
  return first === undefined || last === undefined ? [] : [new RowsBar(rows, first.date, last.date)];
}

/** Its figures are read when they are wanted: most charts want one or two of them, of thousands of bars. */
class RowsBar implements VoiBar {
  readonly date: Day;
  readonly lastDate: Day;
  readonly #rows: readonly VOIDataPoint[];

  constructor(rows: readonly VOIDataPoint[], date: Day, lastDate: Day) {
    this.#rows = rows;
    this.date = date;
    this.lastDate = lastDate;
  }

  get volume(): Decimal | null {
    return sumOf(this.#rows.map((row) => read(row, 'volume')));
  }

  get volumeUsd(): Decimal | null {
    return sumOf(this.#rows.map((row) => read(row, 'notionalVolume')));
  }

  get #level(): VOIDataPoint | null {
    return findLatestOpenInterest(this.#rows);
  }

  get openInterest(): Decimal | null {
    return this.#level && read(this.#level, 'openInterest');
  }

  get openInterestUsd(): Decimal | null {
    return this.#level && read(this.#level, 'notionalOpenInterest');
  }

  get openInterestDate(): Day | null {
    return this.#level?.date ?? null;
  }

  get drawnOpenInterest(): number | null {
    const contracts = this.#level?.openInterest ?? null;
    return contracts === null ? null : toNumber(contracts);
  }
}

type Figure = 'volume' | 'notionalVolume' | 'openInterest' | 'notionalOpenInterest';

const CENT = toDecimal('0.01');

/** A figure of a day: contracts, or USD where the wire has cents. Multiplying is exact, and costs less than dividing. */
function read(row: VOIDataPoint, field: Figure): Decimal | null {
  const text = wireText(row, field);
  if (text === null) return null;
  return field.startsWith('notional') ? toDecimal(text).times(CENT) : toDecimal(text);
}

/** One day of several products, to be stacked. */
export interface StackedDay {
  readonly date: Day;
  /** In the order of the products asked for; null where a product has no figure that day. */
  readonly values: readonly (Decimal | null)[];
  readonly total: Decimal | null;
}

/** One figure of several products beside each other, a row for every day that any of them has. */
export function toStackedDays(rows: readonly VOIDataPoint[], productIds: readonly number[], figure: Figure): readonly StackedDay[] {
  const groups = groupByProduct(rows);
  const series = productIds.map((id) => new Map((groups.get(id) ?? []).map((row) => [row.date, read(row, figure)])));
  const dates = [...new Set(series.flatMap((days) => [...days.keys()]))].sort();
  return dates.map((date) => {
    const values = series.map((days) => days.get(date) ?? null);
    return { date, values, total: sumOf(values) };
  });
}
