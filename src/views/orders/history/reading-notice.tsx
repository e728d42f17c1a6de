import { useAnnounced } from '#ui/live-region.tsx';
import { Countdown } from '#ui/panel/countdown.tsx';
import { useTeller } from '#ui/panel/teller.tsx';
import styles from './history.module.css';
import type { HistoryWindow } from './use-history-window.ts';

/** What keeps the list from going on: the rows so far stay. */
export function ReadingNotice({ history: { window, view, retryAt } }: { readonly history: HistoryWindow }) {
  const teller = useTeller();
  const reason = view.trouble === null ? null : teller.ofError(view.trouble.error);
  const text = reason === null ? null : `${reason.title} ${reason.detail}`;
  useAnnounced(text === null ? null : `Reading stopped. ${text}`);
  if (text === null) return null;
  return (
    <p className={styles['notice']}>
      <span>
        <strong>Reading stopped.</strong> The rows so far stay. {text}
      </span>
      <button type="button" onClick={window.retry}>
        Try again
      </button>
      {retryAt !== null && <Countdown retryAt={retryAt}>Asking again…</Countdown>}
    </p>
  );
}
