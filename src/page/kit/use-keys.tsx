import styles from './key-caps.module.css';
import { createContext, type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react';
import { useSingleKeys } from './use-preferences.tsx';
import { useRequiredContext } from './use-required-context.ts';
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
  // Layout effects, here and below: a visible element must already respond to its keys.
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

/** Elements that take text. Dialogs are among them, because inside a dialog only its own keys apply. */
const TAKES_TEXT =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *, [role=dialog]';

function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TAKES_TEXT);
}

/** The keys of a shortcut as key caps. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className={styles['caps']}>
      {keys.split(/[ +]/).map((key, index) => (
        <kbd key={index}>
          {key === 'Mod' ? modifier() : key.length === 1 && keys.startsWith('Mod') ? key.toUpperCase() : key}
        </kbd>
      ))}
    </span>
  );
}

function modifier(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
