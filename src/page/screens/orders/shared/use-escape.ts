import type { KeyboardEvent } from 'react';
import { useKeys } from '#page/kit/keys/use-keys.tsx';

/** Only listed here: the list and the panel handle the key themselves, also where single keys are switched off. */
const KEYS = [{ keys: 'Escape', label: 'Close the panel', group: 'Orders' }];

/** Closes the panel beside a list, from the panel and from the list, once a selection there is cleared. */
export function useEscape(isOpen: boolean, close: () => void): (event: KeyboardEvent) => void {
  useKeys(KEYS);
  return (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen) return;
    event.preventDefault();
    close();
  };
}
