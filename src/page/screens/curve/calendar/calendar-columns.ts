import {
  describeExpiring,
  type Expiry,
  type InterestSessions,
  type MonthInterest,
  nameMonth,
} from '#model/curve/expiry-calendar.ts';
import { formatDay, formatInAllZones, formatInstant, type Zone } from '#model/format/format-time.ts';
import { formatNumber, NO_VALUE } from '#model/format/number.ts';
import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import { formatTimeLeft } from '#model/products/expiry.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { toMillis } from '#model/time/session.ts';
import type { FigureColumn } from '#page/panels/figure-grid.tsx';
import { putFirst } from '../shared/put-first.ts';

export interface CalendarRow {
  readonly expiry: Expiry;
  /** Null if no future expires. */
  readonly interest: MonthInterest | null;
}

type Column = FigureColumn<CalendarRow>;

interface ColumnInputs {
  readonly underlying: string;
  readonly zone: Zone;
  /** By the exchange’s clock; null until it is known. */
  readonly now: number | null;
  readonly sessions: InterestSessions | null;
  /** Fraction digits of open interest. */
  readonly digits: number;
  readonly isNarrow: boolean;
}

/** The columns of what expires when, and of open interest by month. */
export function createCalendarColumns({
  underlying,
  zone,
  now,
  sessions,
  digits,
  isNarrow,
}: ColumnInputs): readonly Column[] {
  const explainTime = ({ expiry }: CalendarRow): readonly Fact[] => [
    { name: 'Final settlement', value: formatInAllZones(expiry.at) },
  ];
  const interest = (id: 'now' | 'weekBefore' | 'change', title: string, tooltip: string): Column => ({
    ...{ id, title, unit: underlying, kind: 'number', width: 112, tooltip },
    text: (row) => formatNumber(row.interest?.[id] ?? null, { digits, signed: id === 'change' }),
    value: (row) => row.interest?.[id]?.toNumber() ?? null,
    explain: (row) => explainInterest(row, id),
  });
  const day = (name: 'newest' | 'weekBefore'): string => (sessions === null ? '' : formatDay(sessions[name]));
  const columns: readonly Column[] = [
    {
      ...{ id: 'month', title: 'Month', kind: 'text', width: 84, pinned: 'start' },
      text: ({ expiry }) => nameMonth(expiry) || NO_VALUE,
      value: ({ expiry }) => nameMonth(expiry) || null,
      explain: explainTime,
    },
    {
      ...{ id: 'expiry', title: 'Expiry', kind: 'text', width: 196 },
      text: ({ expiry }) => formatInstant(toMillis(expiry.at), zone),
      value: ({ expiry }) => toMillis(expiry.at),
      explain: explainTime,
    },
    {
      ...{ id: 'left', title: 'Left', kind: 'number', width: 76, smallestFirst: true },
      text: ({ expiry }) => {
        if (expiry.hasExpired) return 'expired';
        return now === null ? NO_VALUE : formatTimeLeft(toMillis(expiry.at) - now);
      },
      value: ({ expiry }) => toMillis(expiry.at),
      explain: explainTime,
    },
    interest('now', 'Open interest', `At the end of ${day('newest')}, all series of the month together.`),
    interest('weekBefore', 'A week before', `At the end of ${day('weekBefore')}.`),
    interest('change', 'Change', 'Open interest that moved into the month, or out of it, in the week.'),
    {
      ...{ id: 'expiring', title: 'Expires', kind: 'text', width: 320 },
      text: ({ expiry }) => describeExpiring(expiry),
      value: ({ expiry }) => describeExpiring(expiry),
      explain: ({ expiry }) =>
        [...expiry.futures, ...expiry.spreads].map((product) => ({
          name: nameProduct(product),
          value: product.product_name ?? product.type ?? '',
        })),
    },
  ];
  return isNarrow ? putFirst(columns, ['month', 'left', 'now', 'change']) : columns;
}

function explainInterest({ interest, expiry }: CalendarRow, id: 'now' | 'weekBefore' | 'change'): readonly Fact[] {
  if (interest === null) return [{ name: 'No value', value: 'No future expires at this time.' }];
  const times = id === 'change' ? (['now', 'weekBefore'] as const) : [id];
  const parts = interest.parts.flatMap(({ product, nothing, ...at }) =>
    times.flatMap((time): readonly Fact[] => {
      const [name, quantity] = [nameProduct(product), at[time]];
      if (quantity !== null) return [{ name, value: '' }, ...describeProvenance(quantity, formatInAllZones)];
      return nothing[time] === null ? [] : [{ name, value: nothing[time] }];
    }),
  );
  return [
    ...(interest[id] === null ? [{ name: 'No value', value: interest.missingBecause ?? 'An input is missing.' }] : []),
    { name: 'Computed', value: `Contracts × contract size, in ${expiry.underlying}, of all futures of the month` },
    ...parts,
  ];
}
