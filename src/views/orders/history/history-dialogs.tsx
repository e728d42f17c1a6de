import { LaterColumnsDialog } from '#ui/grid/later-columns-dialog.tsx';
import { FilterDialog } from '../filter-dialog.tsx';
import { ExportHistory } from './export-history-dialog.tsx';
import type { HistoryDialogName, HistoryToolsProps } from './history-props.ts';
import { ReadUntil } from './read-until.tsx';

interface HistoryDialogProps extends HistoryToolsProps {
  readonly opened: HistoryDialogName;
  readonly close: () => void;
}

/** All that opens over the list. */
export function HistoryDialog({ opened, ...props }: HistoryDialogProps) {
  const { columns, list, state, set, held, history, question, close } = props;
  switch (opened) {
    case 'filter':
      return <FilterDialog columns={columns} rows={held} state={state} set={set} close={close} />;
    case 'columns':
      return <LaterColumnsDialog columns={columns} state={list.state} set={list.set} reset={list.resetLayout} close={close} />;
    case 'until':
      return <ReadUntil history={history} question={question} close={close} />;
    case 'export':
      return <ExportHistory {...props} />;
  }
}
