import { useEffect, useMemo, useRef } from 'react';
import type { Dispatch, SetStateAction } from 'react';
import type { KeyBinding } from '#ui/keys/keyboard.ts';
import { useKeys } from '#ui/keys/use-keys.tsx';

interface OrderKeys {
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly takeIn: () => void;
  readonly see: () => void;
}

const GROUP = 'Orders';

/** Keys of the whole list; those of a cell are the grid's. */
export function useOrderKeys({ setPaused, takeIn, see }: OrderKeys): void {
  const latest = useRef({ takeIn, see });
  useEffect(() => {
    latest.current = { takeIn, see };
  });
  const keys = useMemo((): readonly KeyBinding[] => {
    const pause = (): void => {
      setPaused((paused) => !paused);
    };
    const seeAll = (): void => {
      latest.current.see();
    };
    const showWaiting = (): void => {
      latest.current.takeIn();
    };
    return [
      { keys: 'p', does: 'Pause, or go on', group: GROUP, run: pause },
      { keys: 'u', does: 'All changes are seen', group: GROUP, run: seeAll },
      { keys: 'w', does: 'Show what waits', group: GROUP, run: showWaiting },
    ];
  }, [setPaused]);
  useKeys(keys);
}
