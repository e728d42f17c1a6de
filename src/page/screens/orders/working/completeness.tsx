import { countOf, formatCount } from '#model/format/count.ts';
import type { CompletenessCheck } from '#model/orders/working-set.ts';
import { toMillis } from '#model/time/session.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { formatTimeOfDay } from '#model/format/format-time.ts';
import styles from '../shared/orders.module.css';

interface CompletenessProps {
  readonly completeness: CompletenessCheck;
}

interface CompletenessBadgeProps extends CompletenessProps {
  /** A newer read failed, so the list may no longer be complete. */
  readonly isStale: boolean;
}

/** Shows whether the list contains every working order. */
export function CompletenessBadge({
  completeness: { complete, drop, parts, readTo },
  isStale,
}: CompletenessBadgeProps) {
  const [zone] = useZone();
  const detail = parts.length > 1 ? `, ${countOf(parts.length, 'part')}` : '';
  if (complete && isStale)
    return (
      <StatusBadge state="attention">
        {readTo === null ? 'Stale, was complete' : `Stale, complete at ${formatTimeOfDay(toMillis(readTo), zone)}`}
        {detail}
      </StatusBadge>
    );
  if (drop?.state === 'in doubt')
    return <StatusBadge state="attention">{formatCount(drop.orders)} no longer listed, being checked</StatusBadge>;
  if (!complete) return <StatusBadge state="bad">INCOMPLETE{detail}</StatusBadge>;
  if (drop !== null)
    return (
      <StatusBadge state="attention">
        Complete, {formatCount(drop.orders)} gone not verified{detail}
      </StatusBadge>
    );
  return <StatusBadge state="good">Complete{detail}</StatusBadge>;
}

const WARNING = 'Some working orders may be missing from this list.';

interface IncompleteNoticeProps extends CompletenessProps {
  readonly unconfirmed: number;
}

/** Warns that orders may be missing: below the list, where the warning moves no row, and to screen readers. */
export function IncompleteNotice({ completeness: { reasons, drop }, unconfirmed }: IncompleteNoticeProps) {
  const [first = '', ...rest] = reasons;
  const isChecking = drop?.state === 'in doubt';
  const word = isChecking ? 'Being checked.' : 'INCOMPLETE.';
  useAnnounced(`${word} ${WARNING} ${first}`, true);
  return (
    <p className={styles['incomplete']} data-checking={isChecking}>
      <strong>{word}</strong> {WARNING} {first}
      {rest.length > 0 && ` ${countOf(rest.length, 'more reason')}: see Completeness.`}
      {unconfirmed > 0 &&
        ` ${countOf(unconfirmed, 'order')} from earlier reads ${unconfirmed === 1 ? 'stays' : 'stay'} in ` +
          `the list as unconfirmed and ${unconfirmed === 1 ? 'is' : 'are'} excluded from totals.`}
    </p>
  );
}
