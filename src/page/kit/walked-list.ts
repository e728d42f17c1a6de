import { useEffect, useState } from 'react';
import { attempt } from './stored-value.ts';

const STORED = 'perpdesk.walked-list';

/** Remembers the order of a list in this tab, so that its members can be walked one by one. */
export function useWalkedList(names: readonly string[]): void {
  useEffect(() => {
    attempt(() => {
      sessionStorage.setItem(STORED, JSON.stringify(names));
    });
  }, [names]);
}

interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
}

/** Returns the neighbours of a name in the list that was shown last. */
export function useNeighbours(name: string): Neighbours {
  const [names] = useState(readNames);
  const place = names.indexOf(name);
  if (place < 0) return { previous: null, next: null };
  return { previous: names[place - 1] ?? null, next: names[place + 1] ?? null };
}

function readNames(): readonly string[] {
  const names = attempt(() => JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as unknown);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
