import { toIntervalProgress } from '#domain/funding-rate.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { aheadOf } from '#domain/funding/estimate.ts';
import { sourcesOf } from '#domain/quantity.ts';
import { formatCountdown } from '#ui/time/format-time.ts';
import { useNow } from '#ui/time/use-now.tsx';

/** Time to the next funding, by the venue's own end of the interval and the desk's clock. */
export function Boundary({ funding }: { readonly funding: MarketFunding | null }) {
  const now = useNow();
  const [source] = funding?.estimate ? sourcesOf(funding.estimate) : [];
  const interval = funding?.interval ?? null;
  if (interval === null || source === undefined) return <>…</>;
  const progress = toIntervalProgress(interval, now + aheadOf(source));
  if (progress === null) return <>{NO_VALUE}</>;
  const atEnd = funding?.estimateNotCurrent === null ? 'settling' : NO_VALUE;
  return <time dateTime={interval.interval_end}>{progress.secondsLeft === 0 ? atEnd : formatCountdown(progress.secondsLeft)}</time>;
}
