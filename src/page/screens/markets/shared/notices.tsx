import { countOf } from '#model/format/count.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import styles from './markets-screen.module.css';
import { nameOf } from '#model/tables/markets/market-list.ts';
import { Fragment } from 'react';
import { describeNotCurrent } from '#model/funding/estimate.ts';
import { describeAllOverdue, type Overdue } from '#model/time/overdue.ts';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { toFailureKind } from '#page/client/errors.ts';
import { useExplainedByOutage, useOutage } from '#page/client/react/use-desk-status.ts';
import { findFailed, type MarketState } from './use-market-data.ts';

interface NoticesProps extends Omit<MarketState, 'responses' | 'due'> {
  readonly rows: readonly MarketRow[];
}

const TRUNCATED: Problem = {
  title: 'Funding rates incomplete.',
  text: 'The exchange returned more than one page; only the first is shown.',
};

/** Shows what is missing from the list, and why. */
export function Notices({ queries, failedEstimates, estimates, isFundingTruncated, rows }: NoticesProps) {
  return (
    <>
      <OverdueNotice causes={listOverdue(rows)} className={styles['notice']} />
      <Unread
        queries={queries}
        failedEstimates={failedEstimates}
        estimates={estimates}
        hasFunding={rows.some(({ funding }) => funding !== null)}
      />
      {queries.map(({ name, label, query }) => (
        <InvalidRowsNotice key={name} label={label} count={query.data?.setAside.length ?? 0} />
      ))}
      {/* A cursor may lead to an empty page, and a rate that was left out is not on the next one. */}
      {isFundingTruncated && rows.filter(isWithoutRate).length > countLeftOut(queries) && (
        <Notice problems={[TRUNCATED]} />
      )}
    </>
  );
}

function isWithoutRate({ funding }: MarketRow): boolean {
  return funding?.settled === null;
}

function countLeftOut(queries: NoticesProps['queries']): number {
  return queries.find(({ name }) => name === 'funding')?.query.data?.setAside.length ?? 0;
}

interface UnreadProps extends Pick<NoticesProps, 'queries' | 'failedEstimates' | 'estimates'> {
  readonly hasFunding: boolean;
}

/** Reports failed reads, with one retry for all. During an outage, the outage bar reports them for the whole screen. */
function Unread({ queries, failedEstimates: { missingBecause, retry }, estimates, hasFunding }: UnreadProps) {
  const failed = findFailed(queries, (error) => toFailureKind(error) === 'refused');
  const isOut = useOutage() !== null;
  const isExplained = useExplainedByOutage(
    failed[0]?.error ?? null,
    Math.max(...failed.map(({ query }) => query.errorUpdatedAt)),
  );
  const old = describeNotCurrent(estimates);
  const problems = [
    ...joinFailed(failed),
    ...(missingBecause === null || !hasFunding ? [] : [{ title: 'Predicted rates not loaded.', text: missingBecause }]),
    ...(old === null || !hasFunding ? [] : [{ title: 'Predicted rates stale.', text: old }]),
  ];
  if (isOut || isExplained || problems.length === 0) return null;
  const retryAll = (): void => {
    for (const { query } of failed) void query.refetch();
    retry();
  };
  return <Notice problems={problems} retry={retryAll} />;
}

/** Joins requests that failed for the same reason, as they mostly do. */
function joinFailed(failed: ReturnType<typeof findFailed>): readonly Problem[] {
  const byReason = Map.groupBy(failed, ({ error }) => error.message);
  return [...byReason].map(([text, queries]) => ({
    title: `${queries.map(({ label }) => label).join(', ')} not loaded.`,
    text,
  }));
}

/** Returns one sentence per kind of figure. */
function listOverdue(rows: readonly MarketRow[]): readonly (string | null)[] {
  const list = (read: (ages: MarketRow['ages']) => Overdue | null, of = rows) =>
    of.map((row) => ({ name: nameOf(row), overdue: read(row.ages) }));
  return [
    describeAllOverdue(
      'settled rate',
      'perpetuals',
      list(
        ({ overdueRate }) => overdueRate,
        rows.filter(({ funding }) => funding !== null),
      ),
    ),
    describeAllOverdue(
      'settlement',
      'products',
      list(({ overdueSettlement }) => overdueSettlement),
    ),
    describeAllOverdue(
      'open interest',
      'products',
      list(({ overdueInterest }) => overdueInterest),
    ),
  ];
}

function InvalidRowsNotice({ label, count }: { readonly label: string; readonly count: number }) {
  return count === 0 ? null : (
    <Notice
      problems={[
        {
          title: `${label}: ${countOf(count, 'row')} left out.`,
          text: count === 1 ? 'It failed validation.' : 'They failed validation.',
        },
      ]}
    />
  );
}

interface Problem {
  readonly title: string;
  readonly text: string;
}

interface NoticeProps {
  readonly problems: readonly Problem[];
  readonly retry?: () => void;
}

export function Notice({ problems, retry }: NoticeProps) {
  useAnnounced(problems.map(({ title, text }) => `${title} ${text}`).join(' '));
  return (
    <p className={styles['notice']}>
      <span>
        {problems.map(({ title, text }) => (
          <Fragment key={title}>
            <strong>{title}</strong> {text}{' '}
          </Fragment>
        ))}
      </span>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}
