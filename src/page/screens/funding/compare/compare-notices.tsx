import { useState } from 'react';
import { ShowAll } from '#page/kit/table.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { useOutage } from '#page/client/react/use-desk-status.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { countOf } from '#model/format/count.ts';
import { createWhyShared, describeDoubtfulRates } from '#model/funding/doubtful-rates.ts';
import { describeNotCurrent } from '#model/funding/estimate.ts';
import { describeRevision, formatIntervalLength, type FundingFault } from '#model/funding/funding-faults.ts';
import { IMPLAUSIBLE_INTEREST, IMPLAUSIBLE_RATE, whyDoubtful } from '#model/funding/funding-rate.ts';
import { describeAllOverdue } from '#model/time/overdue.ts';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import type { PerpetualSeries } from '#model/funding/funding-series.ts';
import { type CompareRow, whyLastInDoubt } from '#model/tables/funding/compare-row.ts';
import type { CompareQueries } from './use-compare-queries.ts';
import styles from '../funding.module.css';

interface NoticesProps {
  readonly rows: readonly CompareRow[];
  readonly queries: CompareQueries;
}

export function CompareNotices({ rows, queries }: NoticesProps) {
  const { funding } = queries;
  const isOut = useOutage() !== null;
  const overdueRates = describeAllOverdue(
    'settled rate',
    'perpetuals',
    rows.map(({ symbol, overdueRate }) => ({ name: symbol, overdue: overdueRate })),
  );
  const overdueInterest = describeAllOverdue(
    'open interest',
    'perpetuals',
    rows.map(({ symbol, overdueInterest: overdue }) => ({ name: symbol, overdue })),
  );
  const predicted = rows.map(({ latestEstimate, last }) => ({
    rate: latestEstimate && toNumber(latestEstimate.value.funding_rate),
    interest: last && toNumber(last.interest_rate),
  }));
  const whyShared = createWhyShared(predicted);
  const doubts = describeDoubtfulRates(
    'predicted rate',
    rows.map(({ symbol, latestEstimate }, at) => ({
      name: symbol,
      doubt: (latestEstimate && whyDoubtful(latestEstimate.value)) ?? whyShared(predicted[at]?.rate),
    })),
  );
  const newest = describeDoubtfulRates(
    'last settled rate',
    rows.map((row) => ({ name: row.symbol, doubt: whyLastInDoubt(row) })),
  );
  const invalidRows = (funding.data?.setAside.length ?? 0) + rows.reduce((sum, { row }) => sum + row.left_out, 0);
  return (
    <>
      {!isOut && <Unread rows={rows} queries={queries} />}
      <OverdueNotice causes={[overdueRates, overdueInterest]} className={styles['notice']} />
      {invalidRows > 0 && (
        <Notice
          title={
            `${countOf(invalidRows, 'row')} from the exchange failed validation and ` +
            `${invalidRows === 1 ? 'is' : 'are'} left out.`
          }
        />
      )}
      {[...newest, ...doubts].map(({ title, text }) => (
        <Notice key={title} title={title}>
          {text}
        </Notice>
      ))}
      <Faults perpetuals={rows} />
    </>
  );
}

/**
 * Reports failed reads. During an outage, the outage bar reports them for the whole screen, and each figure has its own
 * mark.
 */
function Unread({ rows, queries: { voi, estimates, missingBecause } }: NoticesProps) {
  const old = rows.filter(({ row }) => row.stale_because !== null);
  const [zone] = useZone();
  const notCurrent = describeNotCurrent(estimates);
  const oldest = [...estimates.values()]
    .filter((estimate) => estimate.notCurrent !== null)
    .map(({ respondedAt, receivedAt }) => (respondedAt === null ? receivedAt : Date.parse(respondedAt)));
  return (
    <>
      {old.length > 0 && (
        <Notice title={`${listNames(old)}: the latest settled rates could not be read.`}>
          {old[0]?.row.stale_because}
        </Notice>
      )}
      {missingBecause !== null && <Notice title="Predicted rates not loaded.">{missingBecause}</Notice>}
      {notCurrent !== null && (
        <Notice title="Predicted rates stale.">
          {notCurrent} Oldest read {formatInstant(Math.min(...oldest), zone)}.
        </Notice>
      )}
      {voi.data === undefined && voi.error !== null && (
        <Notice title="Open interest not loaded.">{voi.error.message}</Notice>
      )}
    </>
  );
}

function Notice({ title, children }: { readonly title: string; readonly children?: React.ReactNode }) {
  return (
    <p className={styles['notice']}>
      <strong>{title}</strong> {children !== undefined && <span>{children}</span>}
    </p>
  );
}

function listNames(perpetuals: readonly PerpetualSeries[]): string {
  const names = perpetuals.slice(0, 4).map(({ symbol }) => symbol);
  return perpetuals.length > names.length
    ? `${names.join(', ')} and ${String(perpetuals.length - names.length)} more`
    : names.join(', ');
}

function Faults({ perpetuals }: { readonly perpetuals: readonly PerpetualSeries[] }) {
  const [zone] = useZone();
  const [isWhole, setIsWhole] = useState(false);
  const all = perpetuals.flatMap(({ symbol, series }) => series.faults.map((fault) => ({ symbol, fault })));
  if (all.length === 0) return null;
  return (
    <details className={styles['notice']}>
      <summary>
        <strong>{countOf(all.length, 'fault')} in the exchange’s funding history.</strong> Perpdesk does not repair
        them; unusable rates are excluded from every sum.
      </summary>
      <ul className={styles['faults']}>
        {all.slice(0, isWhole ? all.length : MOST).map(({ symbol, fault }, index) => (
          <li
            key={index}
            title={'start' in fault ? `${formatInAllZones(fault.start)}\n\n${formatInAllZones(fault.end)}` : undefined}
          >
            {symbol}: {describeFault(fault, (at) => formatInstant(at, zone))}
          </li>
        ))}
      </ul>
      {all.length > MOST && !isWhole && (
        <ShowAll
          onShow={() => {
            setIsWhole(true);
          }}
        >
          Showing the first {MOST} of {all.length}.
        </ShowAll>
      )}
    </details>
  );
}

const MOST = 100;

function describeFault(fault: FundingFault, timeText: (epochMillis: number) => string): string {
  if (fault.kind === 'unreadable') return 'a settled rate with unreadable times';
  const span = `${timeText(fault.start)} to ${timeText(fault.end)}`;
  switch (fault.kind) {
    case 'gap':
      return `${countOf(fault.intervals, 'interval')} missing, ${span}`;
    case 'duplicate':
      return (
        `reported ${String(fault.prints.length)} times, ${span}: ` +
        (fault.agree ? 'same rate, counted once' : 'different rates, excluded from sums')
      );
    case 'overlap':
      return `overlaps the previous interval, ${span}: excluded from sums`;
    case 'not 8 h':
      return `${formatIntervalLength(fault)} instead of 8 h, ${span}: not annualised, excluded from sums`;
    case 'implausible rate':
      return `${IMPLAUSIBLE_RATE}, ${span}: counted in every sum`;
    case 'implausible interest rate':
      return `interest rate ${IMPLAUSIBLE_INTEREST}, ${span}: the rate is counted in every sum`;
    case 'revised':
      return `${describeRevision(fault)}, ${span}: the last published counts`;
    case 'withdrawn':
      return `no longer published, ${span}: counted in every sum`;
    case 'off schedule':
      return `not aligned with 00, 08 and 16 UTC, ${span}: excluded from sums`;
  }
}
