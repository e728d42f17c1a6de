import { Fragment, useId, useState } from 'react';
import { formatCount } from '#model/format/count.ts';
import { describeChange, type LifeChange, type LifeContext, nameChange } from '#model/orders/order-life.ts';
import { ShowAll } from '#page/kit/table.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatDuration, formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { LifeFacts, LifeLine, LifePhraseText, NoLife } from './life-view.tsx';
import styles from './life.module.css';
import type { OrderRow } from '#model/orders/order-row.ts';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { toLifeAddress } from '../shared/order-links.tsx';
import { LIFE_SECONDS, useLife } from './use-life.ts';

interface LifeChangesProps {
  /** Oldest first. */
  readonly changes: readonly LifeChange[];
  readonly context: LifeContext;
}

const MOST = 20;

/** Lists the changes of an order, newest first. */
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

/** Cuts off the zone, which the second time names. */
const TIME_LENGTH = '2026-11-20 08:00:00'.length;
const DAY_LENGTH = '2026-11-20 '.length;

/** Formats the end of an interval, repeating the day only if it differs. */
function toEnd(after: string, by: string): string {
  return after.slice(0, DAY_LENGTH) === by.slice(0, DAY_LENGTH) ? by.slice(DAY_LENGTH) : by;
}

interface LifeSectionProps {
  readonly row: Pick<OrderRow, 'order' | 'terms'>;
  /** Whether the section accompanies orders of an earlier time, where an age counted from now would mislead. */
  readonly isPast?: boolean;
}

/** Shows the journal's record of an order: a line through time, and its changes. */
export function LifeSection({ row: { order, terms }, isPast = false }: LifeSectionProps) {
  const life = useLife(order.id);
  const { query, changes, line, gaps } = life;
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={query.data === undefined && query.isFetching}>
      <div className={styles['head']}>
        <h3 id={id}>Life</h3>
        <Link to={toLifeAddress(order.id)} aria-label={`Open the life of order ${order.id}`}>
          Open
        </Link>
      </div>
      {query.data !== undefined && !isPast && (
        <p className={styles['note']}>
          <FreshnessMark query={{ ...query, data: query.data }} everySeconds={LIFE_SECONDS} besides={[life.journal]} />
        </p>
      )}
      <ErrorBoundary level={3} of={query.data}>
        <PanelBody query={query} emptyState={({ value }) => (changes.length === 0 ? <NoLife {...value} /> : null)}>
          {(data) => (
            <>
              {line !== null && <LifeLine line={line} changes={changes} gaps={gaps ?? []} side={order.side} />}
              <LifeFacts {...life} />
              <LifeChanges changes={changes} context={{ terms, source: data }} />
            </>
          )}
        </PanelBody>
      </ErrorBoundary>
    </section>
  );
}
