import { useCallback, useMemo, useRef } from 'react';
import type { ComboboxItem } from '../combobox.tsx';
import { LETTERS } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { LaterCombobox } from './later-combobox.tsx';

interface TypeToFindProps {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly ComboboxItem[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** One of many, which letters typed anywhere on the screen look for, as long as nothing else takes them. */
export function TypeToFind(props: TypeToFindProps) {
  const field = useRef<HTMLInputElement>(null);
  const typedAhead = useRef('');
  const { label } = props;
  const keys = useMemo(() => {
    const look = (letter: string): void => {
      if (field.current === null) typedAhead.current += letter;
      // The letter itself is then typed into what has the keyboard, in place of what stood there.
      field.current?.focus();
      field.current?.select();
    };
    return [{ keys: LETTERS, does: `Type a name: ${label.toLowerCase()}`, group: 'Chart', run: look }];
  }, [label]);
  useKeys(keys);
  const take = useCallback((input: HTMLInputElement) => {
    field.current = input;
    if (typedAhead.current !== '') typeInto(input, typedAhead.current);
    typedAhead.current = '';
  }, []);
  return <LaterCombobox {...props} onThere={take} />;
}

/** What was typed before the field was there, as if it were typed now. */
function typeInto(input: HTMLInputElement, text: string): void {
  input.focus();
  input.setRangeText(text, 0, input.value.length, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
