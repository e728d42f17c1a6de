import { useEffect, useMemo, useRef } from 'react';
import type { Dispatch, SetStateAction } from 'react';
import type { KeyBinding } from '#page/kit/keys/keyboard.ts';
import { useKeys } from '#page/kit/keys/use-keys.tsx';

interface WorkingKeys {
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly applyPending: () => void;
  readonly markAllSeen: () => void;
}

const GROUP = 'Orders';

/** The grid itself handles the keys of its cells. */
export function useWorkingKeys({ setPaused, applyPending, markAllSeen }: WorkingKeys): void {
  const latest = useRef({ applyPending, markAllSeen });
  useEffect(() => {
    latest.current = { applyPending, markAllSeen };
  });
  const keys = useMemo((): readonly KeyBinding[] => {
    const togglePaused = (): void => {
      setPaused((paused) => !paused);
    };
    const markSeen = (): void => {
      latest.current.markAllSeen();
    };
    const showPending = (): void => {
      latest.current.applyPending();
    };
    return [
      { keys: 'p', label: 'Pause or resume updates', group: GROUP, run: togglePaused },
      { keys: 'u', label: 'Mark all changes as seen', group: GROUP, run: markSeen },
      { keys: 'w', label: 'Show pending updates', group: GROUP, run: showPending },
    ];
  }, [setPaused]);
  useKeys(keys);
}
