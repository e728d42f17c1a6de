import { countOf } from '#domain/format/count.ts';
import { describeNotCurrent } from '#domain/funding/estimate.ts';
import { describeDoubtfulRates } from '#domain/funding/plausible-rate.ts';
import type { MarketFunding } from '#domain/markets/market-funding.ts';
import type { MarketRow } from '#domain/markets/market-rows.ts';
import { describeAllOverdue, type Overdue } from '#domain/time/overdue.ts';
import type { Quantity } from '#domain/units/quantity.ts';
import { OverdueNotice } from '#panels/overdue-notice.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { presentError } from '#api/present-error.ts';
import { CheckNotices } from './check-notices.tsx';
import styles from './markets-screen.module.css';
import { findFailed } from './data/to-panel-query.ts';
import { nameOf } from './product-names.ts';
import type { MarketState } from './data/use-market-data.ts';

interface NoticesProps extends Omit<MarketState, 'responses' | 'due'> {
  readonly rows: readonly MarketRow[];
}

/** What is missing from the list, and why. */
export function Notices({ queries, failedEstimates: { missingBecause, retry }, estimates, isFundingTruncated, rows }: NoticesProps) {
  const old = describeNotCurrent(estimates);
  const failed = findFailed(queries, (error) => presentError(error).kind === 'refused');
  return (
    <>
      <OverdueNotice causes={listOverdue(rows)} className={styles['notice']} />
      {failed.map(({ label, error, query }) => (
        <Notice key={label} title={`${label} not loaded.`} text={presentError(error).detail} retry={() => void query.refetch()} />
      ))}
      {queries.map(({ name, label, query }) => (
        <InvalidRowsNotice key={name} label={label} count={query.data?.setAside.length ?? 0} />
      ))}
      {/* A cursor may lead to an empty page: rates are missing only where a perpetual has none. */}
      {isFundingTruncated && rows.some(({ funding }) => funding?.settled === null) && <Notice title="Funding rates incomplete." text="The exchange returned more than one page; only the first is shown." />}
      {missingBecause !== null && <Notice title="Predicted rates not loaded." text={missingBecause} retry={retry} />}
      {old !== null && <Notice title="Predicted rates stale." text={old} retry={retry} />}
      <CheckNotices rows={rows} />
      <DoubtfulRates noun="settled rate" rows={rows} read={(funding) => funding.settled} />
      <DoubtfulRates noun="predicted rate" rows={rows} read={(funding) => funding.estimate} />
    </>
  );
}

/** One sentence for each kind of figure. */
function listOverdue(rows: readonly MarketRow[]): readonly (string | null)[] {
  const list = (read: (ages: MarketRow['ages']) => Overdue | null, of = rows) => of.map((row) => ({ name: nameOf(row), overdue: read(row.ages) }));
  return [
    describeAllOverdue('settled rate', 'perpetuals', list(({ overdueRate }) => overdueRate, rows.filter(({ funding }) => funding !== null))),
    describeAllOverdue('settlement', 'products', list(({ overdueSettlement }) => overdueSettlement)),
    describeAllOverdue('open interest', 'products', list(({ overdueInterest }) => overdueInterest)),
  ];
}

function InvalidRowsNotice({ label, count }: { readonly label: string; readonly count: number }) {
  return count === 0 ? null : <Notice title={`${label}: ${countOf(count, 'row')} left out.`} text={count === 1 ? 'It failed validation.' : 'They failed validation.'} />;
}

interface DoubtfulRatesProps {
  readonly noun: string;
  readonly rows: readonly MarketRow[];
  readonly read: (funding: MarketFunding) => Quantity | null;
}

function DoubtfulRates({ noun, rows, read }: DoubtfulRatesProps) {
  const doubt = describeDoubtfulRates(noun, rows.map((row) => ({ name: nameOf(row), rate: row.funding && read(row.funding) })));
  return doubt && <Notice {...doubt} />;
}

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly retry?: () => void;
}

function Notice({ title, text, retry }: NoticeProps) {
  useAnnounced(`${title} ${text}`);
  return (
    <p className={styles['notice']}>
      <span>
        <strong>{title}</strong> {text}
      </span>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}
