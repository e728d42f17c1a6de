import { parseKeepingDigits } from '#contract/parsing/json-text.ts';
import { wireText } from '#contract/wire-text.ts';
import type { Disk } from '../../disk.ts';
import type { PrintRow } from './print-rows.ts';

interface Estimate {
  readonly baseSymbol: string;
  readonly endAt: string;
  /** 0 to 1. */
  readonly share: number;
  /** With all digits of the exchange. */
  readonly estimate: string;
  readonly readAt: number;
}

interface StoredEstimate extends Estimate {
  readonly settled: string | null;
}

/** Estimates that were read, with the rates that settled: the last one of each hundredth of an interval. */
export interface EstimateStore {
  readonly put: (read: Estimate) => void;
  readonly settle: (baseSymbol: string, prints: readonly PrintRow[]) => void;
  readonly list: (baseSymbol: string | null) => readonly StoredEstimate[];
}

const SCHEMA = `
  create table if not exists funding_estimate (
    venue text not null, base_symbol text not null, end_at text not null, step integer not null, share real not null,
    estimate text not null, settled text, read_at integer not null, primary key (venue, base_symbol, end_at, step)
  ) without rowid;
  create index if not exists funding_estimate_age on funding_estimate (end_at)`;

const STEPS = 100;
const CHECK_EVERY = 500;

/** Keeps at most `most` estimates, dropping those of the oldest intervals. */
export function createEstimateStore({ database, tryToWrite }: Disk, venueId: string, most: number): EstimateStore {
  database.exec(SCHEMA);
  const insert = database.prepare(`insert into funding_estimate (venue, base_symbol, end_at, step, share, estimate, read_at) values (?, ?, ?, ?, ?, ?, ?)
    on conflict do update set share = excluded.share, estimate = excluded.estimate, read_at = excluded.read_at where settled is null`);
  const drop = database.prepare(
    'delete from funding_estimate where end_at < (select end_at from funding_estimate order by end_at desc limit 1 offset ?)',
  );
  const pending = database.prepare('select distinct end_at from funding_estimate where venue = ? and base_symbol = ? and settled is null');
  const settle = database.prepare('update funding_estimate set settled = ? where venue = ? and base_symbol = ? and end_at = ?');
  const select = database.prepare(`select base_symbol, end_at, share, estimate, settled, read_at from funding_estimate
    where venue = ? and base_symbol = coalesce(?, base_symbol) order by end_at desc, base_symbol, share`);
  let stored = 0;
  return {
    put: ({ baseSymbol, endAt, share, estimate, readAt }) => {
      tryToWrite(() => {
        insert.run(venueId, baseSymbol, endAt, Math.min(Math.floor(share * STEPS), STEPS - 1), share, estimate, readAt);
        if (stored++ % CHECK_EVERY === 0) drop.run(most);
      });
    },
    settle: (baseSymbol, prints) => {
      for (const { end_at } of pending.all(venueId, baseSymbol)) {
        const rate = rateOf(prints.filter(({ endAt }) => endAt === end_at));
        if (rate !== null) tryToWrite(() => settle.run(rate, venueId, baseSymbol, String(end_at)));
      }
    },
    list: (baseSymbol) => select.all(venueId, baseSymbol).map(toStored),
  };
}

/** The rate of an interval, as the exchange wrote it; null if there is none, or several contradict each other. */
function rateOf(prints: readonly PrintRow[]): string | null {
  const rates = new Set(prints.map(({ text }) => toRate(text)));
  const [rate = null] = rates;
  return rates.size === 1 ? rate : null;
}

/** A row's rate with all its digits; null if it is not a number. */
export function toRate(text: string): string | null {
  // Whatever the exchange sent in place of a row is stored as one.
  const row = parseKeepingDigits(text) as { readonly funding_rate?: number } | null;
  return typeof row?.funding_rate === 'number' ? (wireText(row, 'funding_rate') ?? null) : null;
}

function toStored({ base_symbol, end_at, share, estimate, settled, read_at }: Readonly<Record<string, unknown>>): StoredEstimate {
  return {
    baseSymbol: String(base_symbol),
    endAt: String(end_at),
    share: Number(share),
    estimate: String(estimate),
    settled: settled as string | null,
    readAt: Number(read_at),
  };
}
