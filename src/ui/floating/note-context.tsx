import { createContext, use, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { laterOver } from '../later.tsx';
import type { Note } from './note.ts';

interface NoteControl {
  /** Shows after a moment of pointing; goes when the pointer leaves both. */
  readonly hover: (note: Note) => void;
  readonly leave: () => void;
  /** Stays, and takes the keyboard, until closed. */
  readonly pin: (note: Note) => void;
}

const NoteContext = createContext<NoteControl | null>(null);

/** Positioning is only loaded by those who ask a figure where it comes from. */
const FloatingNote = laterOver(async () => (await import('./floating-note.tsx')).FloatingNote);

const SHOW_AFTER_MS = 350;
const HIDE_AFTER_MS = 200;

interface Shown extends Note {
  readonly pinned: boolean;
}

export function NoteProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef<number | undefined>(undefined);
  const control = useMemo((): NoteControl => {
    const later = (step: () => void, ms: number): void => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(step, ms);
    };
    return {
      hover: (note) => {
        later(() => {
          setShown((present) => (present?.pinned === true ? present : { ...note, pinned: false }));
        }, SHOW_AFTER_MS);
      },
      leave: () => {
        later(() => {
          setShown((present) => (present?.pinned === true ? present : null));
        }, HIDE_AFTER_MS);
      },
      pin: (note) => {
        window.clearTimeout(timer.current);
        setShown({ ...note, pinned: true });
      },
    };
  }, []);
  const stay = (): void => {
    window.clearTimeout(timer.current);
  };
  const close = (): void => {
    stay();
    setShown(null);
  };
  return (
    <NoteContext value={control}>
      {children}
      {shown !== null && <FloatingNote {...shown} stay={stay} leave={control.leave} close={close} />}
    </NoteContext>
  );
}

export function useNote(): NoteControl {
  const control = use(NoteContext);
  if (control === null) throw new Error('A note is shown outside the notes’ provider.');
  return control;
}
