import { useZone } from '#page/kit/use-preferences.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { formatInstant, formatTimeOfDay } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { CompletenessBadge } from '../working/completeness.tsx';
import { type BookReading, type PastBook, useBook } from './use-book.ts';
import own from './travel.module.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { toMillis } from '#model/time/session.ts';
import type { TimeWindow } from '#model/time/time-window.ts';
import { ProblemError } from '#page/client/errors.ts';
import { ClockNote } from '#page/panels/clock-note.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { type Travel, useSteps, useTravel } from './use-travel.ts';
import { joinQueries } from '#page/panels/join-queries.ts';
import { describeCause, formatPause } from '#model/tables/orders/coverage.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { useOrderColumns } from '../shared/use-order-columns.ts';
import { PastList } from './past-list.tsx';
import type { StepFilter } from '#model/tables/orders/differences.ts';
import hidden from '#page/kit/hidden.module.css';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ListLinks } from '../shared/order-links.tsx';
import styles from '../shared/orders.module.css';
import { usePastTerms } from '../shared/use-order-terms.ts';

/** Shows the reading behind the list, how long it was current, and what is unknown. */
export function ReadingFacts({
  book,
  at,
  isOther = false,
}: {
  readonly book: PastBook;
  readonly at: number;
  readonly isOther?: boolean;
}) {
  const { readTo, nextReadAt, inGap, gapCause, completeness } = book;
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
        <StatusBadge state="attention">
          In a gap{gapCause !== null && ` (${describeCause(gapCause)})`}: last reading{' '}
          {formatPause((at - readTo) / 1_000)} before this time, next {formatPause((nextReadAt - at) / 1_000)} after it.
          Orders may have come, changed and gone.
        </StatusBadge>
      )}
      {reasons.length > 0 && <StatusBadge state="bad">{reasons.join(' ')}</StatusBadge>}
      {book.pricesMissing === null ? (
        book.pricesAt !== null && (
          <span className={own['more']}>
            Market prices read <Clock at={toMillis(book.pricesAt)} />
          </span>
        )
      ) : (
        <span>Without distances and underlying notional. {book.pricesMissing}</span>
      )}
    </>
  );
}

function Clock({ at }: { readonly at: number }) {
  const [zone] = useZone();
  return <Time at={at}>{formatTimeOfDay(at, zone)}</Time>;
}

/** The time that the journal covers. */
export interface JournalTime {
  /** Null if there is no reading yet. */
  readonly whole: TimeWindow | null;
  /** Epoch milliseconds of the server's clock. */
  readonly now: number;
}

/**
 * Returns the journal's time, undefined until it has been read. It comes from the status that the header keeps
 * current, so it costs no request.
 */
export function useJournalTime(): JournalTime | undefined {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.status({}));
  return useMemo(() => {
    if (data === undefined) return undefined;
    const {
      journal: { kept_from: from, read_to: to },
      now,
    } = data.value;
    return {
      whole: from === null || to === null ? null : { from: toMillis(from), to: toMillis(to) },
      now: toMillis(now),
    };
  }, [data]);
}

interface FaceInputs {
  readonly travel: Travel;
  readonly time: JournalTime | undefined;
  readonly readings: readonly BookReading[];
}

/** The clocks of server and browser may differ by this much. */
const TOLERANCE_MS = 5_000;

/** Returns what replaces a list that cannot be shown, or null if it can. */
export function findFace({ travel, time, readings }: FaceInputs): ReactNode {
  const instants = [travel.at, ...(travel.other === null ? [] : [travel.other])];
  if (instants.some(Number.isNaN)) return <NotATime />;
  if (time?.whole === null) return <EmptyJournal />;
  const isBefore = readings.some(({ query: { error } }) => error instanceof ProblemError && error.type === 'not-found');
  if (isBefore && time !== undefined) return <BeforeJournal from={time.whole.from} travel={travel} />;
  if (time !== undefined && Math.max(...instants) > time.now + TOLERANCE_MS && Math.max(...instants) > time.whole.to)
    return <Future to={time.whole.to} travel={travel} />;
  return null;
}

function NotATime() {
  return (
    <EmptyState title="Not a time">
      <p>The time in the address is not valid. A time looks like 2026-11-20T08:00:00Z.</p>
    </EmptyState>
  );
}

function EmptyJournal() {
  return (
    <EmptyState title="The journal is empty">
      <p>
        No reading of working orders has been recorded yet, so there is no earlier time to go to. Working orders are
        recorded whenever they are read.
      </p>
    </EmptyState>
  );
}

function BeforeJournal({ from, travel }: { readonly from: number; readonly travel: Travel }) {
  return (
    <EmptyState title="Before the journal">
      <p>
        The journal begins at <Timestamp at={from} />. What was working before is not known.
      </p>
      <button
        type="button"
        onClick={() => {
          toEach(travel, (at) => Math.max(at, from));
        }}
      >
        Go to its beginning
      </button>
    </EmptyState>
  );
}

function Future({ to, travel }: { readonly to: number; readonly travel: Travel }) {
  return (
    <EmptyState title="In the future">
      <p>
        This time has not come yet. The last reading is from <Timestamp at={to} />.
      </p>
      <button
        type="button"
        onClick={() => {
          toEach(travel, (at) => Math.min(at, to));
        }}
      >
        Go to the last reading
      </button>
    </EmptyState>
  );
}

/** Moves both instants. */
function toEach({ at, other, goTo, compareWith }: Travel, move: (at: number) => number): void {
  goTo(move(at));
  if (other !== null) compareWith(move(other));
}

const ComparedList = lazy(async () => (await import('./compared-list.tsx')).ComparedList);

interface PastBooksProps {
  readonly travel: Travel;
  readonly shown: BookReading;
  readonly other: BookReading;
  /** Reports the list's filter. */
  readonly onFilter: (filter: StepFilter) => void;
}

/** Shows the list of one instant, or of two compared. */
export function PastBooks({ travel: { at, other: otherAt }, shown, other, onFilter }: PastBooksProps) {
  if (otherAt === null) {
    return (
      <PanelBody query={shown.query}>
        {(book) => (
          <div className={own['book']} data-earlier={shown.isEarlier}>
            <p className={own['facts']}>
              <ReadingFacts book={book} at={at} />
            </p>
            <OneList book={book} onFilter={onFilter} />
          </div>
        )}
      </PanelBody>
    );
  }
  const [first, second] = at <= otherAt ? [shown, other] : [other, shown];
  const [earlier, later] = [first.query.data, second.query.data];
  return (
    <PanelBody query={joinQueries([first.query, second.query])}>
      {() =>
        earlier !== undefined &&
        later !== undefined && (
          <div className={own['book']} data-earlier={first.isEarlier || second.isEarlier}>
            <p className={own['facts']}>
              <ReadingFacts book={later} at={Math.max(at, otherAt)} />
              <ReadingFacts book={earlier} at={Math.min(at, otherAt)} isOther />
            </p>
            <ComparedList earlier={earlier} later={later} onFilter={onFilter} />
          </div>
        )
      }
    </PanelBody>
  );
}

function OneList({ book, onFilter }: { readonly book: PastBook; readonly onFilter: (filter: StepFilter) => void }) {
  return <PastList book={book} rows={book.rows} columns={useOrderColumns(book.rows)} onFilter={onFilter} />;
}

/** Its space is reserved until its code has loaded, so that the list below does not move. */
const TimeBar = lazy(async () => (await import('./time-bar.tsx')).TimeBar, <div className={own['room']} />);

const ALL_ORDERS: StepFilter = { symbol: null, isWhole: true };

/** Shows the working orders of an instant from the journal. Nothing on the screen is of the present. */
export function TimeTravel() {
  const travel = useTravel();
  const { now } = useApi();
  const time = useJournalTime();
  const [filter, setFilter] = useState(ALL_ORDERS);
  const steps = useSteps({ at: travel.at, filter, goTo: travel.goTo, leave: travel.leave });
  const terms = usePastTerms(true);
  const isTime = !Number.isNaN(travel.at) && !Number.isNaN(travel.other);
  const shown = useBook(isTime ? travel.at : null, terms);
  const other = useBook(isTime ? travel.other : null, terms);
  const title = useTitle(travel);
  useAnnounced(title);
  return (
    <div className={`${styles['screen'] ?? ''} ${own['past'] ?? ''}`} data-past="">
      <Toolbar title={title} aside={<Aside leave={travel.leave} />}>
        <ListLinks here="Working" />
      </Toolbar>
      <div className={styles['body']} aria-busy={shown.query.isFetching || other.query.isFetching}>
        <h2 className={hidden['hidden']}>Orders</h2>
        <ClockNote />
        <TimeBar
          travel={travel}
          whole={time?.whole ?? null}
          now={time?.now ?? now()}
          steps={steps}
          symbol={filter.symbol}
        />
        {findFace({ travel, time, readings: [shown, other] }) ?? (
          <PastBooks travel={travel} shown={shown} other={other} onFilter={setFilter} />
        )}
      </div>
    </div>
  );
}

function useTitle({ at, other }: Travel): string {
  const [zone] = useZone();
  if (Number.isNaN(at) || Number.isNaN(other)) return 'Working orders at an invalid time';
  const [earlier, later] = other === null ? [null, at] : [Math.min(at, other), Math.max(at, other)];
  const title = `Working orders at ${formatInstant(later, zone)}`;
  return earlier === null ? title : `${title}, compared with ${formatInstant(earlier, zone)}`;
}

function Aside({ leave }: Pick<Travel, 'leave'>) {
  return (
    <span className={styles['aside']}>
      <StatusBadge state="attention">
        Past<span className={own['more']}>, from the journal</span>
      </StatusBadge>
      <button type="button" aria-keyshortcuts="Escape" onClick={leave}>
        Back to live{' '}
        <kbd className={own['more']} aria-hidden="true">
          Esc
        </kbd>
      </button>
    </span>
  );
}
