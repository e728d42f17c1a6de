import { isGivenUp } from '#api/page-window/window-state.ts';
import { NotBelieved } from '#ui/panel/not-believed.tsx';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { Skeleton } from '#ui/panel/skeleton.tsx';
import { useTeller } from '#ui/panel/teller.tsx';
import { TroubleFace } from '#ui/panel/trouble-face.tsx';
import type { ListControl } from '../use-list-state.ts';
import { describeEnd } from './end-text.ts';
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
  if (isGivenUp(view)) {
    return (
      <NotBelieved noun="order" count={view.setAside.size} deviations={view.deviations}>
        <p>No more are asked for.</p>
      </NotBelieved>
    );
  }
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
