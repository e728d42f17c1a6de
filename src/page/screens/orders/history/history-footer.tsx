import { countOf, formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from '../shared/orders.module.css';
import { describeEnd } from '#page/panels/evidence/end-text.ts';
import type { HistoryQuery } from '#model/tables/orders/history-query.ts';
import type { HistoryLines } from './use-history-lines.ts';
import type { HistoryWindow } from './use-history-window.ts';
import { CHECK_LIMITED } from '../shared/use-order-terms.ts';

/** Wanted only once orders are selected. */
const FilledSums = lazy(async () => (await import('./filled-sums.tsx')).FilledSums);

interface HistoryFooterProps {
  readonly history: HistoryWindow;
  readonly found: HistoryLines;
  readonly loaded: number;
  readonly selected: readonly OrderRow[];
  /** Selected orders that are not in memory. */
  readonly missing: number;
  readonly order: HistoryQuery['order'];
  /** The grid’s last message, such as what was copied. */
  readonly gridMessage: string;
  readonly isCheckLimited: boolean;
}

export function HistoryFooter({
  history: { window, view },
  found,
  loaded,
  selected,
  missing,
  order,
  gridMessage,
  isCheckLimited,
}: HistoryFooterProps) {
  const { rowCount, spans } = view.list;
  const last = spans.at(-1)?.last;
  const end = view.end === null ? null : `All orders loaded: ${describeEnd(view.end)}`;
  useAnnounced(end);
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(rowCount)}</b> loaded in {countOf(view.requests, 'request')}
      </span>
      {found.isFiltered ? (
        <span>
          <b>{formatCount(found.lines.count)}</b> match the filter, of {formatCount(loaded)} in memory
        </span>
      ) : (
        loaded < rowCount && <span>{formatCount(loaded)} in memory; the rest reload as you scroll</span>
      )}
      {gridMessage !== '' && <span>{gridMessage}</span>}
      {last && (
        <span>
          {order === 'desc' ? 'back to' : 'up to'} <Timestamp at={last.time} />
        </span>
      )}
      <ValidationIssues view={view} />
      {isCheckLimited && <span>{CHECK_LIMITED}</span>}
      <span>{end ?? toActivity(view.reading)}</span>
      {found.isFiltered && view.end === null && (
        <button
          type="button"
          disabled={view.reading !== null}
          onClick={() => {
            window.setViewport({ from: rowCount - 1, to: rowCount, loadsMore: true, reloads: false });
          }}
        >
          Load more
        </button>
      )}
      {selected.length > 0 && (
        <FilledSums rows={selected} missing={missing} loaded={rowCount} isWhole={view.end !== null} />
      )}
    </footer>
  );
}

const ACTIVITIES = { more: 'loading more…', reload: 'reloading…', newer: 'loading newer orders…' } as const;

function toActivity(reading: HistoryWindow['view']['reading']): string {
  return reading === null ? 'more available' : ACTIVITIES[reading];
}

function ValidationIssues({ view: { setAside, deviations } }: Pick<HistoryWindow, 'view'>) {
  return (
    <>
      {setAside.size > 0 && (
        <span>
          {countOf(setAside.size, 'row')} from the exchange failed validation and {setAside.size === 1 ? 'is' : 'are'}{' '}
          left out
        </span>
      )}
      {deviations.length > 0 && (
        <span
          title={deviations
            .map(({ place, expected, found: what }) => `${place}: expected ${expected}, found ${what}`)
            .join('\n')}
        >
          {countOf(deviations.length, 'deviation')} from the API
        </span>
      )}
    </>
  );
}
