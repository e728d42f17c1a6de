import { useState } from 'react';
import { ShowAll } from '#ui/show-all.tsx';
import { formatInAllZones, formatInstant } from '#ui/time/format-time.ts';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { useTeller } from '#ui/panel/teller.tsx';
import { countOf } from '#domain/format-count.ts';
import { describeNotCurrent } from '#domain/funding/estimate.ts';
import type { FundingFault } from '#domain/funding/find-faults.ts';
import { formatIntervalLength } from '#domain/funding/format-interval-length.ts';
import type { Perpetual } from './compare-row.ts';
import type { CompareAnswers } from './use-compare-answers.ts';
import styles from './funding.module.css';

interface NoticesProps {
  readonly perpetuals: readonly Perpetual[];
  readonly answers: CompareAnswers;
}

/** What is missing, and what is wrong with what is there. */
export function Notices({ perpetuals, answers: { voi, estimates, missingBecause, funding } }: NoticesProps) {
  const teller = useTeller();
  const old = perpetuals.filter(({ row }) => row.stale_because !== null);
  const notCurrent = describeNotCurrent(estimates);
  const setAside = funding.data?.setAside.length ?? 0;
  return (
    <>
      {old.length > 0 && (
        <Notice title={`${listNames(old)}: what is newest could not be read.`}>{old[0]?.row.stale_because}</Notice>
      )}
      {setAside > 0 && <Notice title={`${countOf(setAside, 'row')} could not be believed and ${setAside === 1 ? 'is' : 'are'} left out.`} />}
      {missingBecause !== null && <Notice title="Estimates are missing.">{missingBecause}</Notice>}
      {notCurrent !== null && <Notice title="Estimates are not current.">{notCurrent}</Notice>}
      {voi.data === undefined && voi.error !== null && <Notice title="Open interest is missing.">{teller.ofError(voi.error).detail}</Notice>}
      <Faults perpetuals={perpetuals} />
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

function listNames(perpetuals: readonly Perpetual[]): string {
  const names = perpetuals.slice(0, 4).map(({ symbol }) => symbol);
  return perpetuals.length > names.length ? `${names.join(', ')} and ${String(perpetuals.length - names.length)} more` : names.join(', ');
}

/** Holes and whatever else is wrong with prints, each with its interval. */
function Faults({ perpetuals }: { readonly perpetuals: readonly Perpetual[] }) {
  const [zone] = useZone();
  const [isWhole, setIsWhole] = useState(false);
  const all = perpetuals.flatMap(({ symbol, series }) => series.faults.map((fault) => ({ symbol, fault })));
  if (all.length === 0) return null;
  return (
    <details className={styles['notice']}>
      <summary>
        <strong>{countOf(all.length, 'fault')} in the venue’s history.</strong> None is mended: what cannot be told is in no sum.
      </summary>
      <ul className={styles['faults']}>
        {all.slice(0, isWhole ? all.length : MOST).map(({ symbol, fault }, index) => (
          <li key={index} title={'start' in fault ? `${formatInAllZones(fault.start)}\n\n${formatInAllZones(fault.end)}` : undefined}>
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
          The first {MOST} of {all.length}.
        </ShowAll>
      )}
    </details>
  );
}

const MOST = 100;

function describeFault(fault: FundingFault, timeText: (epochMillis: number) => string): string {
  if (fault.kind === 'unreadable') return 'a print whose times name no moment';
  const stretch = `${timeText(fault.start)} to ${timeText(fault.end)}`;
  switch (fault.kind) {
    case 'hole':
      return `${String(fault.intervals)} missing, ${stretch}`;
    case 'duplicate':
      return `told ${String(fault.prints.length)} times, ${stretch}: ${fault.agree ? 'all say the same rate, counted once' : 'they contradict, none counts'}`;
    case 'overlap':
      return `overlaps the interval before it and is left out, ${stretch}`;
    case 'odd length':
      return `not 8 h but ${formatIntervalLength(fault)}, ${stretch}: not annualised, in no sum`;
    case 'off the boundaries':
      return `not from one of 00, 08 and 16 UTC to the next and left out, ${stretch}`;
  }
}
