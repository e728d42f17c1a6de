import type { Suspect } from '#model/checks/judge-prices.ts';
import { countOf, exemplify } from '#model/format/count.ts';
import type { MarketFunding, MarketRow } from '#model/markets/market-rows.ts';
import { Link } from '#page/kit/navigation.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import styles from './shared/markets-screen.module.css';
import { nameOf } from '#model/tables/markets/market-list.ts';
import { Fragment } from 'react';
import { describeNotCurrent } from '#model/funding/estimate.ts';
import { describeDoubtfulRates } from '#model/funding/funding-rate.ts';
import { describeAllOverdue, type Overdue } from '#model/time/overdue.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { toFailureKind } from '#page/client/errors.ts';
import { useExplainedByOutage, useOutage } from '#page/client/react/use-desk-status.ts';
import { findFailed, type MarketState } from './shared/use-market-data.ts';

/** What a failed cross-check withholds, by suspect figure. */
const WITHHELD: Readonly<Record<Suspect, string>> = {
  'tick size': 'USD prices withheld',
  'contract size': 'USD values withheld',
  'tick size or contract size': 'USD prices withheld',
  'daily values': 'USD open interest withheld',
  '24 h value': '24 h volume in USD withheld',
  'chart': 'chart settlement withheld',
  'mark': 'index and mark in USD withheld',
};

/** Shows one notice per suspect figure, however many products it affects. */
function CheckNotices({ rows }: { readonly rows: readonly MarketRow[] }) {
  const found = rows.flatMap((row) =>
    [...row.checks.reasons].map(([suspect, reason]) => ({ suspect, name: nameOf(row), reason })),
  );
  return [...Map.groupBy(found, ({ suspect }) => suspect)].map(([suspect, group]) => {
    const { names, reason } = exemplify(group);
    return <CheckNotice key={suspect} title={`${names}: ${WITHHELD[suspect]}.`} reason={reason} />;
  });
}

/** On a phone, the reason is collapsed, because its three lines would push the list down. */
function CheckNotice({ title, reason }: { readonly title: string; readonly reason: string }) {
  const isNarrow = useMedia(NARROW);
  const text = (
    <span>
      {!isNarrow && <strong>{title}</strong>} {reason} See <Link to="/status">the cross-checks</Link>.
    </span>
  );
  if (!isNarrow) return <p className={styles['notice']}>{text}</p>;
  return (
    <details className={styles['notice']}>
      <summary>
        <strong>{title}</strong>
      </summary>
      {text}
    </details>
  );
}

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
      {/* A cursor may lead to an empty page, so rates are missing only if a perpetual has none. */}
      {isFundingTruncated && rows.some(({ funding }) => funding?.settled === null) && <Notice problems={[TRUNCATED]} />}
      <CheckNotices rows={rows} />
      <DoubtfulRates noun="settled rate" rows={rows} read={(funding) => funding.settled} />
      <DoubtfulRates noun="predicted rate" rows={rows} read={(funding) => funding.estimate} />
    </>
  );
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

interface DoubtfulRatesProps {
  readonly noun: string;
  readonly rows: readonly MarketRow[];
  readonly read: (funding: MarketFunding) => Quantity | null;
}

function DoubtfulRates({ noun, rows, read }: DoubtfulRatesProps) {
  const doubt = describeDoubtfulRates(
    noun,
    rows.map((row) => ({ name: nameOf(row), rate: row.funding && read(row.funding) })),
  );
  return doubt && <Notice problems={[doubt]} />;
}

interface Problem {
  readonly title: string;
  readonly text: string;
}

interface NoticeProps {
  readonly problems: readonly Problem[];
  readonly retry?: () => void;
}

function Notice({ problems, retry }: NoticeProps) {
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
