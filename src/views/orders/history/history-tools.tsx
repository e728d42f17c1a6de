import { useMemo, useState } from 'react';
import type { KeyBinding } from '#ui/keys/keyboard.ts';
import { useKeys } from '#ui/keys/use-keys.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { ColumnsDialog } from '../columns-dialog.tsx';
import { FilterChips } from '../filter-chips.tsx';
import { FilterDialog } from '../filter-dialog.tsx';
import styles from '../orders.module.css';
import { QuickFilter } from '../quick-filter.tsx';
import { formatCount } from './end-text.ts';
import { ExportHistory } from './export-history-dialog.tsx';
import type { HistoryToolsProps } from './history-props.ts';
import { ReadUntil } from './read-until.tsx';
import type { HistoryWindow } from './use-history-window.ts';

const DIALOGS = ['filter', 'columns', 'until', 'export'] as const;
type Opened = (typeof DIALOGS)[number];
const NAMES: Readonly<Record<Opened, string>> = { filter: 'Filter', columns: 'Columns', until: 'Load until…', export: 'Export' };

const ORDERINGS = [
  ['desc', 'Newest first'],
  ['asc', 'Oldest first'],
] as const;

/** What narrows, extends and hands out the list. */
export function HistoryTools(props: HistoryToolsProps) {
  const { columns, list, state, set, held, history, question, grid } = props;
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => {
    setOpened(null);
  };
  return (
    <div className={styles['tools']}>
      <nav className={styles['lists']} aria-label="Lists of orders">
        <Link to="/orders">Working</Link>
        <Link to="/orders/history" aria-current="page">
          History
        </Link>
      </nav>
      <QuickFilter state={list.state} set={list.set} grid={grid} />
      <Segmented
        label="Order of reading"
        choices={ORDERINGS}
        value={question.order}
        onChange={(order) => {
          list.set({ ...list.state, sorts: order === 'asc' ? [{ id: 'time', desc: false }] : [] });
        }}
      />
      {DIALOGS.map((dialog) => (
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
      <NewerPill history={history} toTop={() => grid.current?.toTop()} />
      <FilterChips state={list.state} set={list.set} columns={columns} />
      {opened === 'filter' && <FilterDialog columns={columns} rows={held} state={state} set={set} close={close} />}
      {opened === 'columns' && <ColumnsDialog columns={columns} list={list} close={close} />}
      {opened === 'until' && <ReadUntil history={history} question={question} close={close} />}
      {opened === 'export' && <ExportHistory {...props} close={close} />}
    </div>
  );
}

/** What came since waits until somebody wants it: nothing moves by itself. */
function NewerPill({ history: { window, view }, toTop }: { readonly history: HistoryWindow; readonly toTop: () => void }) {
  const { count, isLeast } = view.newer;
  const keys = useMemo((): readonly KeyBinding[] => [{ keys: 'w', does: 'Show newer orders', group: 'Orders', run: window.takeNewer }], [window]);
  useKeys(keys);
  if (count === 0) return null;
  return (
    <span className={styles['live']}>
      <button
        type="button"
        className={styles['pill']}
        data-any="true"
        aria-keyshortcuts="w"
        onClick={() => {
          toTop();
          window.takeNewer();
        }}
      >
        {formatCount(count)}
        {isLeast && '+'} newer <kbd aria-hidden="true">W</kbd>
      </button>
    </span>
  );
}
