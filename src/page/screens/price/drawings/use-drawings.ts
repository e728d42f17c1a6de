import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Drawing } from '#model/charts/drawings/drawing.ts';
import { readDrawings, writeDrawings } from '#model/charts/drawings/drawings-file.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { DrawnText } from '../shared/draw-mode.ts';

interface History {
  readonly past: readonly string[];
  readonly future: readonly string[];
}

export interface Drawings {
  readonly list: readonly Drawing[];
  /** Why the stored drawings cannot be read; null if they can. They are then left as they are. */
  readonly problem: string | null;
  /** Changes drawings, of which one may be selected afterwards. */
  readonly change: (list: readonly Drawing[], selected?: string) => void;
  readonly selected: Drawing | null;
  readonly select: (id: string | null) => void;
  /** Each returns whether there was something to do. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The drawings of a product and what has been done to them on this screen. */
export function useDrawings(stored: DrawnText, { name }: NamedProduct): Drawings {
  const text = useSyncExternalStore(stored.subscribe, stored.read);
  const read = useMemo(() => readDrawings(text, name), [text, name]);
  const list = 'drawings' in read ? read.drawings : NONE;
  const [{ past, future }, setHistory] = useState<History>({ past: [], future: [] });
  const [selected, select] = useState<string | null>(null);
  const change = (next: readonly Drawing[], id: string | null = null): void => {
    select(id);
    setHistory({ past: [...past, text], future: [] });
    stored.write(writeDrawings(next, name));
  };
  return {
    list,
    problem: 'problem' in read ? read.problem : null,
    change,
    selected: list.find(({ id }) => id === selected) ?? null,
    select,
    undo: () => {
      const before = past.at(-1);
      if (before === undefined) return false;
      setHistory({ past: past.slice(0, -1), future: [...future, text] });
      stored.write(before);
      return true;
    },
    redo: () => {
      const next = future.at(-1);
      if (next === undefined) return false;
      setHistory({ past: [...past, text], future: future.slice(0, -1) });
      stored.write(next);
      return true;
    },
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}

const NONE: readonly Drawing[] = [];

/** Returns a name for a new drawing that no other browser gives. */
export function createDrawingId(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('');
}
