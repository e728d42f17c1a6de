import type { FundingRateData } from '#contract/exchange/funding.ts';
import { parseInstant } from '#contract/exchange/instant.ts';

const [NANOS_PER_SECOND, SECONDS_PER_MINUTE, MINUTES_PER_HOUR] = [1_000_000_000n, 60n, 60n];

/** The length of an interval to the nanosecond: one of nearly eight hours must not read as eight. */
export function formatIntervalLength({ prints: [print] }: { readonly prints: readonly FundingRateData[] }): string {
  const [start, end] = [parseInstant(print?.interval_start ?? ''), parseInstant(print?.interval_end ?? '')];
  if (start === null || end === null) return 'an unreadable time';
  const nanos = end - start;
  const [length, sign] = nanos < 0n ? [-nanos, '−'] : [nanos, ''];
  const minutes = length / NANOS_PER_SECOND / SECONDS_PER_MINUTE;
  const parts = [
    [String(minutes / MINUTES_PER_HOUR), 'h'],
    [String(minutes % MINUTES_PER_HOUR), 'min'],
    [toSeconds(length % (NANOS_PER_SECOND * SECONDS_PER_MINUTE)), 's'],
  ].filter(([amount]) => amount !== '0');
  return parts.length === 0 ? '0 h' : sign + parts.map((part) => part.join(' ')).join(' ');
}

function toSeconds(nanos: bigint): string {
  const fraction = String(nanos % NANOS_PER_SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${String(nanos / NANOS_PER_SECOND)}${fraction === '' ? '' : `.${fraction}`}`;
}
