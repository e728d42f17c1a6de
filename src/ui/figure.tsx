import type { KeyboardEvent } from 'react';
import { FactList, type Fact } from './fact-list.tsx';
import { useNote } from './floating/note-context.tsx';
import { useSingleKeys } from './preferences/use-preferences.tsx';
import styles from './figure.module.css';

interface FigureProps {
  readonly text: string;
  /** What it is a figure of, for the heading of its provenance. */
  readonly name: string;
  /** Where it comes from; asked for only when somebody wants to know. */
  readonly provenance: () => readonly Fact[];
}

/** A figure that can say where it comes from: to the pointer that rests on it, and to the keyboard by `i` or Enter. */
export function Figure({ text, name, provenance }: FigureProps) {
  const { hover, leave, pin } = useNote();
  const letters = useSingleKeys();
  const noteFor = (anchor: Element) => ({ anchor, title: `${name}: ${text}`, content: <FactList facts={provenance()} /> });
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (!letters || event.key !== 'i' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pin(noteFor(event.currentTarget));
  };
  return (
    <button
      type="button"
      className={styles['figure']}
      aria-haspopup="dialog"
      aria-keyshortcuts={letters ? 'i' : undefined}
      onKeyDown={onKeyDown}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') hover(noteFor(event.currentTarget));
      }}
      onPointerLeave={leave}
      onClick={(event) => {
        pin(noteFor(event.currentTarget));
      }}
    >
      {text}
    </button>
  );
}
