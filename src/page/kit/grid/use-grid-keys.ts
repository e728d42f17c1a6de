import { useEffect, useState } from 'react';
import type { KeyBinding } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { useSingleKeys } from '../preferences/use-preferences.tsx';

const NONE: readonly KeyBinding[] = [];

/** Lists the keys of a grid while it is mounted; returns whether its single-letter keys are on. */
export function useGridKeys(filters = true): boolean {
  const [listed, setListed] = useState(NONE);
  useEffect(() => {
    // Their texts are read in the list of shortcuts only, so the grid does not wait for them.
    import('./grid-key-list.ts').then(
      ({ KEYS, FILTERING }) => {
        setListed(filters ? FILTERING : KEYS);
      },
      () => undefined,
    );
  }, [filters]);
  useKeys(listed);
  return useSingleKeys();
}
