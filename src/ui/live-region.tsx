import { createContext, use, useCallback, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './hidden.module.css';

type Announce = (message: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/** At most one message in so many milliseconds; of those in between only the last is read out. */
const PACE_MS = 2_000;

/** The one place from which screen readers are told what changed without being asked. */
export function LiveRegion({ children }: { readonly children: ReactNode }) {
  const [message, setMessage] = useState('');
  const waiting = useRef<{ last: string | null; busy: boolean }>({ last: null, busy: false });
  const announce = useCallback((text: string): void => {
    const state = waiting.current;
    if (state.busy) {
      state.last = text;
      return;
    }
    const say = (next: string): void => {
      state.busy = true;
      setMessage(next);
      setTimeout(() => {
        const { last } = state;
        state.busy = false;
        state.last = null;
        if (last !== null) say(last);
      }, PACE_MS);
    };
    say(text);
  }, []);
  const region = useMemo(
    () => (
      <div className={styles['hidden']} aria-live="polite" role="status">
        {message}
      </div>
    ),
    [message],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      {region}
    </AnnounceContext>
  );
}

export function useAnnounce(): Announce {
  return use(AnnounceContext);
}
