import type { ReactNode } from 'react';
import { ProblemError } from '#page/client/errors.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import type { BookReading } from './use-book.ts';
import type { JournalTime } from './use-journal.ts';
import type { Travel } from './use-travel.ts';

interface FaceParts {
  readonly travel: Travel;
  readonly time: JournalTime | undefined;
  readonly readings: readonly BookReading[];
}

/** Desk and browser may differ by so much. */
const TOLERANCE_MS = 5_000;

/** What takes the place of a list that there cannot be; null: there may be one. */
export function findFace({ travel, time, readings }: FaceParts): ReactNode {
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
