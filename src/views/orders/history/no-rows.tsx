import { isGivenUp } from '#api/page-window/window-state.ts';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { Skeleton } from '#ui/panel/skeleton.tsx';
import { useTeller } from '#ui/panel/teller.tsx';
import { TroubleFace } from '#ui/panel/trouble-face.tsx';
import type { ListControl } from '../use-list-state.ts';
import { describeEnd, formatCount } from './end-text.ts';
import type { Question } from './question.ts';
import { useClearQuestion } from './use-clear-question.ts';
import type { HistoryWindow } from './use-history-window.ts';

interface NoRowsProps {
  readonly history: HistoryWindow;
  readonly list: ListControl;
  readonly question: Question;
}

/** What stands in place of the list while there is none: not yet, not at all, or why not. */
export function NoRows({ history: { window, view, retryAt }, list, question }: NoRowsProps) {
  const teller = useTeller();
  const clear = useClearQuestion(list);
  if (view.trouble !== null) {
    const trouble = teller.ofError(view.trouble.error);
    return <TroubleFace trouble={{ ...trouble, retryAt }} asking={view.doing !== null} retry={window.retry} />;
  }
  if (isGivenUp(view)) return <NotBelieved view={view} />;
  if (view.end === null) return <Skeleton />;
  const isNarrowed = Object.entries(question).some(([name, text]) => name !== 'order' && text !== '');
  return (
    <Nothing title={isNarrowed ? 'No order fits what was asked' : 'No orders yet'}>
      <p>The venue has been asked, and gave none: {describeEnd(view.end)}.</p>
      {isNarrowed && (
        <button type="button" onClick={clear}>
          Ask for all
        </button>
      )}
    </Nothing>
  );
}

function NotBelieved({ view: { setAside, deviations } }: Pick<HistoryWindow, 'view'>) {
  return (
    <Nothing title="No order that came can be believed">
      <p>{formatCount(setAside.size)} came, and each differs from what the interface promises; no more are asked for.</p>
      <ul>
        {deviations.slice(0, 5).map(({ kind, place, expected, found }) => (
          <li key={`${kind} ${place}`}>
            {place}: expected {expected}, found {found}
          </li>
        ))}
      </ul>
    </Nothing>
  );
}
