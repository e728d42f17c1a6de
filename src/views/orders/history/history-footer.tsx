import { countOf, formatCount } from '#domain/format-count.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import { Moment } from '#ui/time/moment.tsx';
import styles from '../orders.module.css';
import { describeEnd } from './end-text.ts';
import type { Question } from './question.ts';
import type { HistoryLines } from './use-history-lines.ts';
import type { HistoryWindow } from './use-history-window.ts';

interface HistoryFooterProps {
  readonly history: HistoryWindow;
  readonly found: HistoryLines;
  readonly held: number;
  readonly order: Question['order'];
  /** What was copied or selected last, and what of it was not. */
  readonly told: string;
}

/** How much was read, how far it goes, and why it ends there. */
export function HistoryFooter({ history: { window, view }, found, held, order, told }: HistoryFooterProps) {
  const { rowCount, spans } = view.list;
  const last = spans.at(-1)?.last;
  const end = view.end === null ? null : `The end: ${describeEnd(view.end)}`;
  useAnnounced(end);
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(rowCount)}</b> orders read in {countOf(view.requests, 'request')}
      </span>
      {found.isFiltered ? (
        <span>
          <b>{formatCount(found.lines.count)}</b> fit the filter, applied to the {formatCount(held)} rows loaded
        </span>
      ) : (
        held < rowCount && <span>{formatCount(held)} in memory, the others are read again when you come by</span>
      )}
      {told !== '' && <span>{told}</span>}
      {last && (
        <span>
          {order === 'desc' ? 'back' : 'on'} to <Moment at={last.time} />
        </span>
      )}
      {view.setAside.size > 0 && <span>{formatCount(view.setAside.size)} set aside: they are not what the interface promises</span>}
      {view.deviations.length > 0 && <span title={view.deviations.map(({ place, expected, found: what }) => `${place}: expected ${expected}, found ${what}`).join('\n')}>answers differ from the interface in {countOf(view.deviations.length, 'place')}</span>}
      <span>{end ?? toDoing(view.doing)}</span>
      {found.isFiltered && view.end === null && (
        <button
          type="button"
          disabled={view.doing !== null}
          onClick={() => {
            window.show({ from: rowCount - 1, to: rowCount, readsOn: true, rereads: false });
          }}
        >
          Read on
        </button>
      )}
    </footer>
  );
}

const DOING = { more: 'reading on…', again: 'reading again…', newer: 'reading what is newer…' } as const;

function toDoing(doing: HistoryWindow['view']['doing']): string {
  return doing === null ? 'more follows' : DOING[doing];
}
