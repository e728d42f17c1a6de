import { Face } from '../face.tsx';
import { useAnnounced } from '../live-region.tsx';
import { formatDuration } from '../time/format-time.ts';
import { useNow } from '../time/use-now.tsx';
import type { Trouble } from './teller.tsx';
import styles from '../error-boundary.module.css';

interface TroubleFaceProps {
  readonly trouble: Trouble;
  /** It is asked again just now. */
  readonly asking: boolean;
  readonly retry: () => unknown;
}

/** Failed, refused or forbidden: what happened, what to do, and a way to try again where that can help. */
export function TroubleFace({ trouble, asking, retry }: TroubleFaceProps) {
  const { kind, title, detail, advice, retryAt, evidence } = trouble;
  useAnnounced(kind === 'failed' ? `${title} ${detail}` : null);
  return (
    <Face title={title} level={3}>
      <p>{detail}</p>
      <p>{advice}</p>
      {kind !== 'refused' && (
        <p className={styles['actions']}>
          <button type="button" onClick={retry}>
            Try again
          </button>
          {asking ? <span>Asking again …</span> : retryAt !== null && <Countdown retryAt={retryAt} />}
        </p>
      )}
      {evidence !== null && (
        <details>
          <summary>{evidence.name}</summary>
          <pre className={styles['details']}>{evidence.text}</pre>
        </details>
      )}
    </Face>
  );
}

export function Countdown({ retryAt }: { readonly retryAt: number }) {
  const seconds = (retryAt - useNow()) / 1_000;
  return seconds > 0 ? <span>The page asks again in {formatDuration(seconds)}.</span> : null;
}
