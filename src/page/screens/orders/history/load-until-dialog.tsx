import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import type { Instant } from '#contract/exchange/instant.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { parseRangeEnd, parseTime } from '#model/time/written-time.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { toMillis } from '#model/time/session.ts';
import styles from '../shared/orders.module.css';
import { describeEnd } from '#page/panels/evidence/end-text.ts';
import { estimateRows } from './request-cost.ts';
import { type HistoryQuery, PAGE_ROWS } from '#model/tables/orders/history-query.ts';
import type { HistoryWindow } from './use-history-window.ts';

interface LoadUntilProps {
  readonly history: HistoryWindow;
  readonly query: HistoryQuery;
  readonly close: () => void;
}

/** Loads pages up to a date, and states in advance how many requests that takes. */
export function LoadUntilDialog({ history: { window, view }, query, close }: LoadUntilProps) {
  const [text, setText] = useState('');
  const until = query.order === 'desc' ? parseTime(text) : parseRangeEnd(text);
  const { goal } = view;
  const cost = until === null ? null : estimateCost(view, until);
  const status = view.end !== null ? `All orders are loaded: ${describeEnd(view.end)}.` : toCostText(text, until, cost);
  useAnnounced(status);
  return (
    <LazyDialog title="Load until a date" close={close}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (until !== null) window.loadUntil(until);
        }}
      >
        <label className={styles['choice']}>
          {query.order === 'desc' ? 'Load back to' : 'Load up to'} (UTC)
          <input
            type="text"
            value={text}
            placeholder="YYYY-MM-DD"
            onChange={({ target }) => {
              setText(target.value);
            }}
          />
        </label>
        <p>{status}</p>
        <BudgetLeft />
        {goal === null ? (
          <button type="submit" disabled={until === null || view.end !== null}>
            Load
          </button>
        ) : (
          <Progress history={{ window, view }} until={goal.until} cost={estimateCost(view, goal.until)} />
        )}
      </form>
    </LazyDialog>
  );
}

type Reading = Pick<HistoryWindow, 'window' | 'view'>;

function Progress({
  history: { window, view },
  until,
  cost,
}: {
  readonly history: Reading;
  readonly until: Instant;
  readonly cost: number | null;
}) {
  const spent = view.requests - (view.goal?.since ?? 0);
  const last = view.list.spans.at(-1)?.last;
  return (
    <>
      <progress
        aria-label="Loading progress"
        max={cost === null ? undefined : spent + cost}
        value={cost === null ? undefined : spent}
      />
      <span>
        {formatCount(spent)} {cost !== null && `of about ${formatCount(spent + cost)} `}requests, loaded to{' '}
        {last ? <Time at={last.time}>{formatInstant(toMillis(last.time), 'utc')}</Time> : '–'} of {until.slice(0, 16)}
      </span>
      <button
        type="button"
        onClick={() => {
          window.loadUntil(null);
        }}
      >
        Cancel
      </button>
    </>
  );
}

/** Shows the remaining request budget, as counted by the server. */
export function BudgetLeft() {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.status({}));
  const budget = data?.value.budget;
  if (budget === undefined) return null;
  if (budget.limit === null) return <p className={styles['quiet']}>Requests are not limited.</p>;
  const { requests, seconds, reserve } = budget.limit;
  return (
    <p className={styles['quiet']}>
      Requests left: {formatCount(Math.max(0, requests - budget.used))} of {formatCount(requests)} per{' '}
      {formatCount(seconds)} s. Loading pauses at {formatCount(reserve)}, which are kept for what you do yourself.
    </p>
  );
}

function estimateCost({ list: { spans, rowCount, first } }: HistoryWindow['view'], until: Instant): number | null {
  const last = spans.at(-1)?.last;
  const rows = first && last ? estimateRows({ first, last, rows: rowCount }, until) : null;
  return rows === null ? null : Math.ceil(rows / PAGE_ROWS);
}

function toCostText(text: string, until: Instant | null, cost: number | null): string {
  if (until === null) return text === '' ? `Each request loads ${String(PAGE_ROWS)} orders.` : 'Invalid date.';
  if (cost === null) return 'The number of requests cannot be estimated from the orders loaded so far.';
  return cost === 0
    ? 'Already loaded to that date.'
    : `About ${countOf(cost, 'request')} for ${formatCount(cost * PAGE_ROWS)} orders, at the rate of those loaded.`;
}
