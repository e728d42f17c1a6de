import { countOf } from '#domain/format-count.ts';
import { describeNotCurrent } from '#domain/funding/estimate.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import { useTeller } from '#ui/panel/teller.tsx';
import { NARROW, useMedia } from '#ui/use-media.ts';
import styles from './markets-screen.module.css';
import { nameOf } from './product-names.ts';
import { findMissing } from './data/to-panel-query.ts';
import type { MarketState } from './data/use-market-data.ts';

interface NoticesProps extends Omit<MarketState, 'answers'> {
  readonly rows: readonly MarketRow[];
}

/** What the list lacks, and why: a part that never came, rows that cannot be believed, estimates that are old, and products whose increment does not hold. */
export function Notices({ parts, unread: { missingBecause, retry }, estimates, isFundingCut, rows }: NoticesProps) {
  const teller = useTeller();
  const old = describeNotCurrent(estimates);
  const missing = findMissing(parts, (error) => teller.ofError(error).kind === 'refused');
  const odd = rows.filter(({ check }) => check.verdict === 'off');
  return (
    <>
      {missing.map(({ name, error, query }) => (
        <Failed key={name} what={`${name}: missing.`} why={teller.ofError(error).detail} retry={() => void query.refetch()} />
      ))}
      {parts.map(({ part, name, query }) => (
        <LeftOut key={part} name={name} count={query.data?.setAside.length ?? 0} />
      ))}
      {/* A cursor may lead to an empty page: something is missing where a perpetual has no rate. */}
      {isFundingCut && rows.some(({ funding }) => funding?.settled === null) && <Told what="Funding: not all of it." why="The venue has more of it than one page; the first is shown." />}
      {missingBecause !== null && <Failed what="Estimates of funding: missing." why={missingBecause} retry={retry} />}
      {old !== null && <Failed what="Estimates of funding: not current." why={old} retry={retry} />}
      {odd.map((row) => (
        <Withheld key={row.productId} row={row} />
      ))}
    </>
  );
}

/** A product of a row that is left out is not in the list, or lacks a figure. */
function LeftOut({ name, count }: { readonly name: string; readonly count: number }) {
  return count === 0 ? null : <Told what={`${name}: ${countOf(count, 'row')} left out.`} why="What is not what the interface promises cannot be believed." />;
}

function Told({ what, why }: Omit<FailedProps, 'retry'>) {
  useAnnounced(`${what} ${why}`);
  return (
    <p className={styles['notice']}>
      <span>
        <strong>{what}</strong> {why}
      </span>
    </p>
  );
}

/** On a phone the reason is behind a touch: three lines of it would stand where the list begins. */
function Withheld({ row }: { readonly row: MarketRow }) {
  const isNarrow = useMedia(NARROW);
  const what = <strong>{nameOf(row)}: USD from ticks withheld.</strong>;
  const why = `${row.check.reason ?? ''} Its settlement is the chart’s.`;
  if (isNarrow) {
    return (
      <details className={styles['notice']}>
        <summary>{what}</summary>
        <span>{why}</span>
      </details>
    );
  }
  return (
    <p className={styles['notice']}>
      <span>
        {what} {why}
      </span>
    </p>
  );
}

interface FailedProps {
  readonly what: string;
  readonly why: string;
  readonly retry: () => void;
}

function Failed({ what, why, retry }: FailedProps) {
  useAnnounced(`${what} ${why}`);
  return (
    <p className={styles['notice']}>
      <span>
        <strong>{what}</strong> {why}
      </span>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}
