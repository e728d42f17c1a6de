import { useDoor } from '#api/react.tsx';
import { FreshnessMark } from '#ui/panel/freshness-mark.tsx';
import { useTeller } from '#ui/panel/teller.tsx';
import { isOpenEnded, type Question } from './question.ts';
import { NEWER_SECONDS, type HistoryWindow } from './use-history-window.ts';
import styles from './history.module.css';

/** How long ago it was known that there is nothing newer. Older pages do not age: they are what was. */
export function NewestMark({ history: { window, view }, question }: { readonly history: HistoryWindow; readonly question: Question }) {
  const { now } = useDoor();
  const teller = useTeller();
  const { spans } = view.list;
  const newest = question.order === 'desc' ? spans[0] : spans.at(-1);
  const readAt = view.newer.lookedAt ?? newest?.held?.source.receivedAt;
  if (readAt === undefined) return null;
  if (!isOpenEnded(question, now())) return <span>range is over</span>;
  if (question.order === 'asc' && view.end === null) return <span>the newest are not read yet</span>;
  const stamp = { receivedAt: readAt, ageSeconds: 0, freshSeconds: null, cache: 'venue', staleBecause: null } as const;
  const query = { data: stamp, error: view.newer.error, errorUpdatedAt: 0, isFetching: false, refetch: window.lookForNewer };
  return (
    <span className={styles['newest']}>
      newest rows <FreshnessMark query={query} everySeconds={NEWER_SECONDS} />
      {view.newer.error !== null && ` ${teller.ofError(view.newer.error).detail}`}
    </span>
  );
}
