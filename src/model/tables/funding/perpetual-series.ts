import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createFundingSeries, type FundingSeries } from '../../funding/funding-series.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Source } from '../../source.ts';
import { type Quantity, toQuantity } from '../../units/quantity.ts';
import { asRate } from '../../units/conversions.ts';

type PerpetualFunding = DeskFunding['perpetuals'][number];

/** A perpetual with its settled rates examined, once for each response. */
export interface PerpetualSeries {
  readonly symbol: string;
  readonly productId: number;
  readonly row: PerpetualFunding;
  readonly series: FundingSeries;
}

/** `dueTo`: the funding time that should have settled by now, if known. While a new range loads, the response may still be of another one: intervals outside its `begin_time` are not missing. */
export function toPerpetualSeries(
  { value: { perpetuals }, target }: Pick<ApiResponse<DeskFunding>, 'value' | 'target'>,
  dueTo: number | null,
): readonly PerpetualSeries[] {
  const requestedFrom = new URL(target, 'http://desk').searchParams.get('begin_time') as Instant | null;
  return perpetuals.map((row) => ({
    symbol: row.base_symbol,
    productId: toNumber(row.product_id),
    row,
    series: createFundingSeries({
      ...{ prints: row.prints, knownFrom: row.known_from, knownTo: row.known_to, requestedFrom, dueTo },
      ...{ reachesLaunch: row.reaches_launch, isBehind: row.stale_because !== null },
    }),
  }));
}

/** The settled rate at a place of the history, with where it comes from. */
export function toRateQuantity(
  { series, row: { read_at } }: PerpetualSeries,
  place: number,
  source: Source,
): Quantity | null {
  const row = series.prints[place]?.row;
  return row === undefined
    ? null
    : toQuantity(
        { source: withReadTime(source, read_at), dataTime: row.interval_end, prefix: 'prints.' },
        row,
        'funding_rate',
        asRate,
      );
}

/** As of the perpetual read longest ago. */
export function withOldestRead(source: Source, perpetuals: readonly PerpetualSeries[]): Source {
  const times = perpetuals.flatMap(({ row }) => row.read_at ?? []).sort(compareInstants);
  return withReadTime(source, times[0] ?? null);
}

/** Perpdesk answers from its database, so the response carries no time of reading; the perpetual itself does. */
export function withReadTime<From extends Source>(source: From, readAt: Instant | null): From {
  if (readAt === null || source.answeredAt !== null) return source;
  const ageSeconds = Math.max(0, Math.floor((source.receivedAt - Date.parse(readAt)) / 1_000));
  return { ...source, answeredAt: readAt, ageSeconds: source.ageSeconds ?? ageSeconds };
}
