import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { createAnnouncer, type Announce, type Message } from './announcer.ts';
import styles from './hidden.module.css';

const AnnounceContext = createContext<Announce>(() => undefined);

const PACE_MS = 2_000;
const SILENCE: Message & { readonly turn: number } = { text: '', urgent: false, turn: 0 };

/** The one place from which screen readers are told what changed without being asked. */
export function LiveRegion({ children }: { readonly children: ReactNode }) {
  const [{ text, urgent, turn }, setSaid] = useState(SILENCE);
  const say = (message: Message): void => {
    setSaid((before) => ({ ...message, turn: before.turn + 1 }));
  };
  // Said once more, the same words are new ones.
  const words = <span key={turn}>{text}</span>;
  const [announce] = useState(() =>
    createAnnouncer(say, (step) => {
      setTimeout(step, PACE_MS);
    }),
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className={styles['hidden']} aria-live="polite" role="status">
        {!urgent && words}
      </div>
      <div className={styles['hidden']} aria-live="assertive">
        {urgent && words}
      </div>
    </AnnounceContext>
  );
}

export function useAnnounce(): Announce {
  return use(AnnounceContext);
}

/** Tells a sentence when it appears, and when it becomes another. */
export function useAnnounced(text: string | null, urgent = false): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (text !== null) announce(text, urgent);
  }, [announce, text, urgent]);
}
