import { formatCount } from '#model/format/count.ts';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import styles from './hidden.module.css';

interface Message {
  readonly text: string;
  /** Interrupts the current announcement: only for stale or incomplete data. */
  readonly urgent: boolean;
}

type Announce = (text: string, urgent?: boolean) => void;

/**
 * Shows one message at a time, with a pause after each. Of the messages that arrive during a pause, the latest urgent
 * one comes next, then the latest other one.
 *
 * @internal Exported for its test.
 */
export function createAnnouncer(show: (message: Message) => void, afterPause: (step: () => void) => void): Announce {
  const waiting: { urgent: string | null; other: string | null } = { urgent: null, other: null };
  let busy = false;
  const takeNext = (): Message | null => {
    const [which, text] =
      waiting.urgent === null ? (['other', waiting.other] as const) : (['urgent', waiting.urgent] as const);
    waiting[which] = null;
    return text === null ? null : { text, urgent: which === 'urgent' };
  };
  const announce = (message: Message): void => {
    busy = true;
    show(message);
    afterPause(() => {
      const next = takeNext();
      busy = false;
      if (next !== null) announce(next);
    });
  };
  return (text, urgent = false) => {
    if (!busy) announce({ text, urgent });
    else waiting[urgent ? 'urgent' : 'other'] = text;
  };
}

const AnnounceContext = createContext<Announce>(() => undefined);

const PACE_MS = 2_000;
const SILENCE: Message & { readonly turn: number } = { text: '', urgent: false, turn: 0 };

/** The page’s only live region: every automatic announcement to screen readers goes through it. */
export function LiveRegion({ children }: { readonly children: ReactNode }) {
  const [{ text, urgent, turn }, setMessage] = useState(SILENCE);
  const show = (message: Message): void => {
    setMessage((before) => ({ ...message, turn: before.turn + 1 }));
  };
  // A new key makes screen readers announce the same text again.
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
    if (count !== announced.current && count < total)
      announce(`${formatCount(count)} of ${formatCount(total)} ${noun}`);
    announced.current = count;
  }, [count, total, noun, announce]);
}
