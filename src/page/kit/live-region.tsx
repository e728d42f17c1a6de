import { createContext, use, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { createAnnouncer, type Announce, type Message } from './announcer.ts';
import styles from './hidden.module.css';

const AnnounceContext = createContext<Announce>(() => undefined);

const PACE_MS = 2_000;
const SILENCE: Message & { readonly turn: number } = { text: '', urgent: false, turn: 0 };

/** The one live region: everything that screen readers announce by themselves goes through it. */
export function LiveRegion({ children }: { readonly children: ReactNode }) {
  const [{ text, urgent, turn }, setMessage] = useState(SILENCE);
  const show = (message: Message): void => {
    setMessage((before) => ({ ...message, turn: before.turn + 1 }));
  };
  // A new key, so that the same text is announced again.
  const words = <span key={turn}>{text}</span>;
  const [announce] = useState(() =>
    createAnnouncer(show, (step) => {
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

/** Announces a sentence when it appears and when it changes. */
export function useAnnounced(text: string | null, urgent = false): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (text !== null) announce(text, urgent);
  }, [announce, text, urgent]);
}

/** Announces how many rows a filter leaves, when the number changes. */
export function useAnnouncedCount(count: number, total: number, noun: string): void {
  const announce = useAnnounce();
  const announced = useRef(count);
  useEffect(() => {
    if (count !== announced.current && count < total) announce(`${String(count)} of ${String(total)} ${noun}`);
    announced.current = count;
  }, [count, total, noun, announce]);
}
