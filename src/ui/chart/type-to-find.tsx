import { useEffect, useMemo, useRef } from 'react';
import type { ComboboxItem } from '../combobox.tsx';
import { useKeys } from '../keys/use-keys.tsx';
import { LaterCombobox } from './later-combobox.tsx';
import { usePreferences } from '../preferences/use-preferences.tsx';

interface TypeToFindProps {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly ComboboxItem[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** One of many, which letters typed anywhere on the screen look for, as long as nothing else takes them. */
export function TypeToFind(props: TypeToFindProps) {
  const { singleKeys } = usePreferences();
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (singleKeys === 'off') return;
    const listen = (event: KeyboardEvent): void => {
      if (!isFreeLetter(event)) return;
      const input = box.current?.querySelector('input');
      // The letter itself is then typed into what has the keyboard, in place of what stood there.
      input?.focus();
      input?.select();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [singleKeys]);
  useKeys(useMemo(() => toSheet(props.label), [props.label]));
  return (
    <span ref={box}>
      <LaterCombobox {...props} />
    </span>
  );
}

const TAKES_TEXT = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *, [role=dialog]';

function isFreeLetter({ key, ctrlKey, metaKey, altKey, defaultPrevented, isComposing, target }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey || !/^[a-z]$/i.test(key)) return false;
  return !(target instanceof Element && target.matches(TAKES_TEXT));
}

function toSheet(label: string) {
  return [{ keys: 'a–z', does: `Type a name: ${label.toLowerCase()}`, group: 'Chart' }];
}
