import { Fragment, useState } from 'react';
import { formatCount } from '#model/format/count.ts';
import { describeChange, nameChange, type LifeContext } from '#model/orders/life-phrases.ts';
import type { LifeChange } from '#model/orders/order-life.ts';
import { ShowAll } from '#page/kit/show-all.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatDuration, formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { LifePhraseText } from './life-phrase-text.tsx';
import styles from './life.module.css';

interface LifeChangesProps {
  /** The oldest first. */
  readonly changes: readonly LifeChange[];
  readonly context: LifeContext;
}

const MOST = 20;

/** The changes of an order, the newest first. */
export function LifeChanges({ changes, context }: LifeChangesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(-MOST);
  return (
    <>
      <ol className={styles['changes']} aria-label="Changes, newest first">
        {shown.toReversed().map((change) => (
          <li key={`${change.kind} ${change.readBy}`}>
            <What change={change} context={context} />
            <When change={change} />
          </li>
        ))}
      </ol>
      {shown.length < changes.length && (
        <ShowAll
          className={styles['note']}
          onShow={() => {
            setWhole(true);
          }}
        >
          The newest {formatCount(MOST)} of {formatCount(changes.length)} changes.
        </ShowAll>
      )}
    </>
  );
}

function What({ change, context }: { readonly change: LifeChange; readonly context: LifeContext }) {
  const name = nameChange(change);
  return (
    <span className={styles['what']}>
      {name !== null && <b>{name}</b>}
      {describeChange(change, context).map((phrase) => (
        <Fragment key={phrase.name}>
          {' '}
          <span>
            {phrase.name} <LifePhraseText phrase={phrase} />
          </span>
        </Fragment>
      ))}
    </span>
  );
}

function When({ change: { readAfter, readBy, sinceMs } }: { readonly change: LifeChange }) {
  const [zone] = useZone();
  const by = formatInstant(Date.parse(readBy), zone);
  const after = readAfter === null ? null : formatInstant(Date.parse(readAfter), zone);
  return (
    <span className={styles['when']}>
      {readAfter === null || after === null ? (
        <>
          by <Time at={readBy}>{by}</Time>
        </>
      ) : (
        <>
          between <Time at={readAfter}>{after.slice(0, TIME_LENGTH)}</Time> and{' '}
          <Time at={readBy}>{toEnd(after, by)}</Time>
        </>
      )}
      {sinceMs !== null && ` · ${formatDuration(sinceMs / 1_000)} after the previous change`}
    </span>
  );
}

/** Without its zone, which the second time names. */
const TIME_LENGTH = '2026-11-20 08:00:00'.length;
const DAY_LENGTH = '2026-11-20 '.length;

/** The day is named again only if it is another. */
function toEnd(after: string, by: string): string {
  return after.slice(0, DAY_LENGTH) === by.slice(0, DAY_LENGTH) ? by.slice(DAY_LENGTH) : by;
}
