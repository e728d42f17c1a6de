import { toNumber } from '#contract/brand.ts';
import type { Day } from '#contract/day.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { toPeriodStart, type Period } from './bars.ts';
import { sumOf, type Decimal } from './decimal.ts';
import { findLatestOpenInterest, readVoi, sortByDate } from './voi.ts';

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
    return sumOf(this.#rows.map((row) => readVoi(row, 'volume')));
  }

  get volumeUsd(): Decimal | null {
    return sumOf(this.#rows.map((row) => readVoi(row, 'notionalVolume')));
  }

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
