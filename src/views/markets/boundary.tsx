import { toIntervalProgress } from '#domain/funding-rate.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { toMillis } from '#domain/session.ts';
import { sourcesOf } from '#domain/quantity.ts';
import { useNow } from '#ui/time/use-now.tsx';
import { formatCountdown } from './format-countdown.ts';

/** Time to the next funding, by the venue's own end of the interval and the desk's clock. */
export function Boundary({ funding }: { readonly funding: MarketFunding | null }) {
  const now = useNow();
  const [source] = funding?.estimate ? sourcesOf(funding.estimate) : [];
  const interval = funding?.interval ?? null;
  if (interval === null || source === undefined) return <>…</>;
  // How far the desk's clock is ahead of this browser's.
  const ahead = source.answeredAt === null ? 0 : toMillis(source.answeredAt) + (source.ageSeconds ?? 0) * 1_000 - source.receivedAt;
  const progress = toIntervalProgress(interval, now + ahead);
  if (progress === null) return <>{NO_VALUE}</>;
  return <time dateTime={interval.interval_end}>{progress.secondsLeft === 0 ? 'settling' : formatCountdown(progress.secondsLeft)}</time>;
}
