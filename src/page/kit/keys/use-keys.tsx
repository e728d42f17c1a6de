import { createContext, useLayoutEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useSingleKeys } from '../preferences/use-preferences.tsx';
import { useRequiredContext } from '../use-required-context.ts';
import type { KeyBinding, Keyboard } from './keyboard.ts';

const KeyboardContext = createContext<Keyboard | null>(null);

function useKeyboard(): Keyboard {
  return useRequiredContext(KeyboardContext, 'keyboard');
}

interface ProviderProps {
  readonly keyboard: Keyboard;
  readonly children: ReactNode;
}

export function KeyboardProvider({ keyboard, children }: ProviderProps) {
  const singleKeys = useSingleKeys();
  // Layout effects, here and below: whatever is visible must already respond to its keys.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const { key, repeat: repeated, timeStamp: at } = event;
      const single = singleKeys && !takesText(event.target);
      if (keyboard.press({ key, modified: event.ctrlKey || event.metaKey, repeated, at, single }))
        event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [keyboard, singleKeys]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/** Binds keys while the component is mounted. The list must keep its identity between renders. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const keyboard = useKeyboard();
  useLayoutEffect(() => keyboard.add(bindings), [keyboard, bindings]);
}

export function useBoundKeys(): readonly KeyBinding[] {
  const { subscribe, list } = useKeyboard();
  return useSyncExternalStore(subscribe, list);
}

/** Inside a dialog only the dialog’s own keys apply. */
const TAKES_TEXT =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *, [role=dialog]';

function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TAKES_TEXT);
}
