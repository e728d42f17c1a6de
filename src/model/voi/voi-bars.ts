import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/day.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { toPeriodStart, type Period } from '../time/period.ts';
import { sumOf, type Decimal } from '../units/decimal.ts';
import { findLatestOpenInterest, readVoi, sortByDate, whyVoiWithheld, type VoiField } from './voi-rows.ts';

/** Volume and open interest of one or more sessions. Null: no value. */
export interface VoiBar {
  /** Date of the first session. */
  readonly date: Day;
  readonly lastDate: Day;
  readonly volume: Decimal | null;
  readonly volumeUsd: Decimal | null;
  /** Of the last session that has one: a level, never summed over time. */
  readonly openInterest: Decimal | null;
  readonly openInterestUsd: Decimal | null;
  readonly openInterestDate: Day | null;
  /** As a float, precise enough for a line on a chart. */
  readonly drawnOpenInterest: number | null;
  /** Why a figure is withheld; null where it is not. */
  readonly whyWithheld: (field: VoiField) => string | null;
}

/** Groups rows, in any order, into bars of a period. */
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

/** Computes its figures on demand: a chart has thousands of bars and needs one or two figures of each. */
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

  /** A sum without a part that is withheld would be too low. */
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
