import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDoor } from '#api/react.tsx';
import type { Instant } from '#contract/instant.ts';
import { countOf, formatCount } from '#domain/format-count.ts';
import { parseMoment, parseRangeEnd } from '#domain/orders/parse-moment.ts';
import { LaterDialog } from '#ui/later-dialog.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
import { toMillis } from '#domain/session.ts';
import styles from '../orders.module.css';
import { describeEnd } from './end-text.ts';
import { estimateRows } from './estimate.ts';
import type { Question } from './question.ts';
import { PAGE_ROWS, type HistoryWindow } from './use-history-window.ts';

interface ReadUntilProps {
  readonly history: HistoryWindow;
  readonly question: Question;
  readonly close: () => void;
}

/** Reads on to a date, which costs requests: how many is said before. */
export function ReadUntil({ history: { window, view }, question, close }: ReadUntilProps) {
  const [text, setText] = useState('');
  const until = question.order === 'desc' ? parseMoment(text) : parseRangeEnd(text);
  const { goal } = view;
  const cost = until === null ? null : estimateCost(view, until);
  const told = view.end !== null ? `All of it is read: ${describeEnd(view.end)}.` : toCostText(text, until, cost);
  useAnnounced(told);
  return (
    <LaterDialog title="Load until a date" close={close}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (until !== null) window.readUntil(until);
        }}
      >
        <label className={styles['choice']}>
          {question.order === 'desc' ? 'Back to' : 'On to'}, UTC
          <input
            type="text"
            value={text}
            placeholder="YYYY-MM-DD"
            onChange={({ target }) => {
              setText(target.value);
            }}
          />
        </label>
        <p>{told}</p>
        <BudgetLeft />
        {goal === null ? (
          <button type="submit" disabled={until === null || view.end !== null}>
            Load
          </button>
        ) : (
          <Progress history={{ window, view }} until={goal.until} cost={estimateCost(view, goal.until)} />
        )}
      </form>
    </LaterDialog>
  );
}

type Reading = Pick<HistoryWindow, 'window' | 'view'>;

function Progress({ history: { window, view }, until, cost }: { readonly history: Reading; readonly until: Instant; readonly cost: number | null }) {
  const spent = view.requests - (view.goal?.since ?? 0);
  const last = view.list.spans.at(-1)?.last;
  return (
    <>
      <progress aria-label="Read" max={cost === null ? undefined : spent + cost} value={cost === null ? undefined : spent} />
      <span>
        {formatCount(spent)} {cost !== null && `of about ${formatCount(spent + cost)} `}requests, at {last ? <Time at={last.time}>{formatInstant(toMillis(last.time), 'utc')}</Time> : '–'}, until {until.slice(0, 16)}
      </span>
      <button
        type="button"
        onClick={() => {
          window.readUntil(null);
        }}
      >
        Cancel
      </button>
    </>
  );
}

/** What the venue still allows, from the desk's own count. */
export function BudgetLeft() {
  const { queries } = useDoor();
  const { data } = useQuery(queries.desk.status({}));
  const budget = data?.value.budget;
  if (budget === undefined) return null;
  if (budget.limit === null) return <p className={styles['quiet']}>Nothing limits requests here.</p>;
  const { requests, seconds } = budget.limit;
  return (
    <p className={styles['quiet']}>
      {formatCount(Math.max(0, requests - budget.used))} of {formatCount(requests)} requests in {formatCount(seconds)} s are left. When they are spent, reading waits.
    </p>
  );
}

function estimateCost({ list: { spans, rowCount, first } }: HistoryWindow['view'], until: Instant): number | null {
  const last = spans.at(-1)?.last;
  const rows = first && last ? estimateRows({ first, last, rows: rowCount }, until) : null;
  return rows === null ? null : Math.ceil(rows / PAGE_ROWS);
}

function toCostText(text: string, until: Instant | null, cost: number | null): string {
  if (until === null) return text === '' ? `Each request brings ${String(PAGE_ROWS)} orders.` : 'That is no date.';
  if (cost === null) return 'What it costs cannot be told from what was read so far.';
  return cost === 0 ? 'It is read that far already.' : `About ${countOf(cost, 'request')} for ${formatCount(cost * PAGE_ROWS)} orders, at the pace of those read.`;
}
