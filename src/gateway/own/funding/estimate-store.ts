import { wireText, parseKeepingDigits } from '#contract/json-text.ts';
import type { Disk } from '../../disk.ts';
import type { PrintRow } from './print-rows.ts';

interface EstimateRead {
  readonly baseSymbol: string;
  readonly endAt: string;
  /** 0 to 1. */
  readonly share: number;
  /** To the venue's last digit. */
  readonly estimate: string;
  readonly readAt: number;
}

interface EstimateKept extends EstimateRead {
  readonly settled: string | null;
}

/** Estimates that were read, with what became of them: of each hundredth of an interval the last one. */
export interface EstimateStore {
  readonly keep: (read: EstimateRead) => void;
  readonly settle: (baseSymbol: string, prints: readonly PrintRow[]) => void;
  readonly list: (baseSymbol: string | null) => readonly EstimateKept[];
}

const SCHEMA = `
  create table if not exists funding_estimate (
    venue text not null, base_symbol text not null, end_at text not null, step integer not null, share real not null,
    estimate text not null, settled text, read_at integer not null, primary key (venue, base_symbol, end_at, step)
  ) without rowid;
  create index if not exists funding_estimate_age on funding_estimate (end_at)`;

const STEPS = 100;
const CHECK_EVERY = 500;

/** Of more than `most` those of the oldest intervals are dropped. */
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
  let kept = 0;
  return {
    keep: ({ baseSymbol, endAt, share, estimate, readAt }) => {
      tryToWrite(() => {
        insert.run(venueId, baseSymbol, endAt, Math.min(Math.floor(share * STEPS), STEPS - 1), share, estimate, readAt);
        if (kept++ % CHECK_EVERY === 0) drop.run(most);
      });
    },
    settle: (baseSymbol, prints) => {
      for (const { end_at } of pending.all(venueId, baseSymbol)) {
        const rate = rateOf(prints.filter(({ endAt }) => endAt === end_at));
        if (rate !== null) tryToWrite(() => settle.run(rate, venueId, baseSymbol, String(end_at)));
      }
    },
    list: (baseSymbol) => select.all(venueId, baseSymbol).map(toKept),
  };
}

/** The one rate of an interval, as the venue wrote it; null where there is none, or more than one. */
function rateOf(prints: readonly PrintRow[]): string | null {
  const rates = new Set(prints.map(({ text }) => toRate(text)));
  const [rate = null] = rates;
  return rates.size === 1 ? rate : null;
}

/** A rate as its row has it, digits kept; null where it is no number. */
export function toRate(text: string): string | null {
  const row = parseKeepingDigits(text) as { readonly funding_rate?: number };
  return typeof row.funding_rate === 'number' ? (wireText(row, 'funding_rate') ?? null) : null;
}

function toKept({ base_symbol, end_at, share, estimate, settled, read_at }: Readonly<Record<string, unknown>>): EstimateKept {
  return {
    baseSymbol: String(base_symbol),
    endAt: String(end_at),
    share: Number(share),
    estimate: String(estimate),
    settled: settled as string | null,
    readAt: Number(read_at),
  };
}
