import { describeNotCurrent } from '#domain/funding/estimate.ts';
import type { MarketAnswers, MarketRow } from '#domain/market-rows.ts';
import { useTeller } from '#ui/panel/teller.tsx';
import styles from './markets-screen.module.css';
import { nameOf } from './to-note.ts';
import { toMissing } from './to-panel-query.ts';
import type { MarketReading } from './use-market-answers.ts';

interface NoticesProps extends Pick<MarketReading, 'parts' | 'unread'> {
  readonly estimates: MarketAnswers['estimates'];
  readonly rows: readonly MarketRow[];
}

/** What the list lacks, and why: a part that never came, estimates that are old, and products whose increment does not hold. */
export function Notices({ parts, unread: { missingBecause, retry }, estimates, rows }: NoticesProps) {
  const teller = useTeller();
  const old = estimates === undefined ? null : describeNotCurrent(estimates);
  const missing = toMissing(parts, (error) => teller.ofError(error).kind === 'refused');
  const odd = rows.filter(({ check }) => check.verdict === 'off');
  return (
    <>
      {missing.map(({ name, error, query }) => (
        <Failed key={name} what={`${name}: missing.`} why={teller.ofError(error).detail} retry={() => void query.refetch()} />
      ))}
      {missingBecause !== null && <Failed what="Estimates of funding: missing." why={missingBecause} retry={retry} />}
      {old !== null && <Failed what="Estimates of funding: not current." why={old} retry={retry} />}
      {odd.map((row) => (
        <p key={row.productId} className={styles['notice']}>
          <span>
            <strong>{nameOf(row)}: USD from ticks withheld.</strong> {row.check.reason} Its settlement is the chart’s.
          </span>
        </p>
      ))}
    </>
  );
}

interface FailedProps {
  readonly what: string;
  readonly why: string;
  readonly retry: () => void;
}

function Failed({ what, why, retry }: FailedProps) {
  return (
    <p className={styles['notice']} role="alert">
      <span>
        <strong>{what}</strong> {why}
      </span>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}
