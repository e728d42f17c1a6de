import { createContext, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { laterOver } from '../later.tsx';
import { useAddress } from '../navigation/navigation.tsx';
import { useProvided } from '../use-provided.ts';
import type { Note } from './note.ts';
import { useGone } from './use-gone.ts';

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
    const show = (note: Note, pinned: boolean): void => {
      // What it explains may have gone with its screen while the note was on its way.
      if (note.anchor.isConnected) setShown((present) => (present?.pinned === true && !pinned ? present : { ...note, pinned }));
    };
    return {
      hover: (note) => {
        later(() => {
          show(note, false);
        }, SHOW_AFTER_MS);
      },
      leave: () => {
        later(() => {
          setShown((present) => (present?.pinned === true ? present : null));
        }, HIDE_AFTER_MS);
      },
      pin: (note) => {
        window.clearTimeout(timer.current);
        show(note, true);
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
  useGone(shown?.anchor ?? null, close);
  useLeftScreen(close);
  return (
    <NoteContext value={control}>
      {children}
      {shown !== null && <FloatingNote {...shown} stay={stay} leave={control.leave} close={close} />}
    </NoteContext>
  );
}

/** What a note explains is of one screen, even where the next one has the same element. */
function useLeftScreen(onLeave: () => void): void {
  const { path } = useAddress();
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    leave();
  }, [path]);
}

export function useNote(): NoteControl {
  return useProvided(NoteContext, 'notes');
}
