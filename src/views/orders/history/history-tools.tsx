import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Newer } from '#api/page-window/newer.ts';
import { formatCount } from '#domain/format-count.ts';
import type { KeyBinding } from '#ui/keys/keyboard.ts';
import { useKeys } from '#ui/keys/use-keys.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { FilterChips } from '../filter-chips.tsx';
import styles from '../orders.module.css';
import { QuickFilter } from '../quick-filter.tsx';
import { HistoryDialog } from './history-dialogs.tsx';
import { HISTORY_DIALOGS, type HistoryDialogName, type HistoryToolsProps } from './history-props.ts';

const NAMES: Readonly<Record<HistoryDialogName, string>> = { filter: 'Filter', columns: 'Columns', until: 'Load until…', export: 'Export' };

const ORDERINGS = [
  ['desc', 'Newest first'],
  ['asc', 'Oldest first'],
] as const;

/** What narrows, extends and hands out the list. */
export function HistoryTools(props: HistoryToolsProps) {
  const { columns, list, history, question, grid } = props;
  const [opened, setOpened] = useState<HistoryDialogName | null>(null);
  const close = (): void => {
    setOpened(null);
  };
  return (
    <div className={styles['tools']}>
      <QuickFilter state={list.state} set={list.set} grid={grid} />
      <Segmented
        label="Order of reading"
        choices={ORDERINGS}
        value={question.order}
        onChange={(order) => {
          list.set({ ...list.state, sorts: order === 'asc' ? [{ id: 'time', desc: false }] : [] });
        }}
      />
      {HISTORY_DIALOGS.map((dialog) => (
        <button
          key={dialog}
          type="button"
          aria-haspopup="dialog"
          onClick={() => {
            setOpened(dialog);
          }}
        >
          {NAMES[dialog]}
        </button>
      ))}
      <label className={styles['choice']}>
        <input
          type="checkbox"
          checked={list.sharesCodes}
          onChange={({ target }) => {
            list.shareCodes(target.checked);
          }}
        />
        Account codes in the address
      </label>
      <NewerPill history={history} question={question} found={props.found} grid={grid} />
      <FilterChips state={list.state} set={list.set} columns={columns} grid={grid} />
      {opened !== null && <HistoryDialog {...props} opened={opened} close={close} />}
    </div>
  );
}

type NewerProps = Pick<HistoryToolsProps, 'history' | 'question' | 'found' | 'grid'>;

/** What came or changed since waits until somebody wants it: nothing moves by itself. */
function NewerPill(props: NewerProps) {
  const { newer, wantsNewer } = props.history.view;
  const { takeNewer } = props.history.window;
  const hasNews = newer.count > 0 || newer.changed > 0;
  useGoToNewer(props);
  const showNewer = useCallback(() => {
    if (hasNews) takeNewer();
  }, [takeNewer, hasNews]);
  const keys = useMemo((): readonly KeyBinding[] => [{ keys: 'w', does: 'Show newer and changed orders', group: 'Orders', run: showNewer }], [showNewer]);
  useKeys(keys);
  if (!hasNews) return null;
  return (
    <span className={styles['live']}>
      <button type="button" className={styles['pill']} data-any="true" aria-keyshortcuts="w" onClick={showNewer}>
        {describeNewer(newer)}
        {wantsNewer && ', asked for'} <kbd aria-hidden="true">W</kbd>
      </button>
    </span>
  );
}

function describeNewer({ count, isLeast, changed }: Newer): string {
  const came = count > 0 && `${formatCount(count)}${isLeast ? '+' : ''} newer`;
  return [came, changed > 0 && `${formatCount(changed)} changed`].filter((part) => part !== false).join(', ');
}

/** Newer orders that were asked for are shown when they are there, wherever the reader was; changed ones are where they were. */
function useGoToNewer({ history: { view }, question, found, grid }: NewerProps): void {
  const { doing, trouble, newer } = view;
  const before = useRef({ doing, count: newer.count });
  const line = question.order === 'desc' ? 0 : found.lines.count - 1;
  useEffect(() => {
    if (before.current.doing === 'newer' && doing !== 'newer' && trouble === null && before.current.count > 0) grid.current?.goTo(line);
    before.current = { doing, count: newer.count };
  }, [doing, trouble, newer.count, line, grid]);
}
