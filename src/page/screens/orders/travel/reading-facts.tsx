import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { formatInstant, formatTimeOfDay } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { CompletenessBadge } from '../working/completeness.tsx';
import { NO_MARKET } from './explain-past-cell.ts';
import type { PastBook } from './use-book.ts';
import styles from './travel.module.css';

/** Which reading the list is of, how long it stood, and what is not known. */
export function ReadingFacts({ book, isOther = false }: { readonly book: PastBook; readonly isOther?: boolean }) {
  const { readTo, nextReadAt, inGap, completeness } = book;
  const reasons = completeness.reasons.filter((reason) => !inGap || !reason.startsWith('Nothing was read'));
  return (
    <>
      <span>
        {isOther ? 'Compared with the reading of' : 'Read'} <Clock at={readTo} />
        {!isOther &&
          (nextReadAt === null ? (
            ', no later reading yet'
          ) : (
            <>
              , next reading <Clock at={nextReadAt} />
            </>
          ))}
      </span>
      <CompletenessBadge completeness={completeness} isStale={false} />
      {inGap && nextReadAt !== null && (
        <StatusBadge state="bad">
          In a gap: nothing was read from <Clock at={readTo} isLong /> to <Clock at={nextReadAt} isLong />. Orders may
          have come, changed and gone.
        </StatusBadge>
      )}
      {reasons.length > 0 && <StatusBadge state="bad">{reasons.join(' ')}</StatusBadge>}
      {!isOther && (
        <span className={styles['more']} title={NO_MARKET}>
          Without distances and underlying notional
        </span>
      )}
    </>
  );
}

function Clock({ at, isLong = false }: { readonly at: number; readonly isLong?: boolean }) {
  const [zone] = useZone();
  return <Time at={at}>{isLong ? formatInstant(at, zone) : formatTimeOfDay(at, zone)}</Time>;
}
