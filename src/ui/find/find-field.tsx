import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { LETTERS, type KeyBinding } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { laterOver } from '../later.tsx';
import type { FinderProps } from './finder.tsx';
import styles from './find.module.css';

/** What finds and lists weighs more than all else on the screen: it comes when somebody turns to the field. */
const Finder = laterOver<FinderProps>(async () => (await import('./finder.tsx')).Finder);

interface FindFieldProps extends Omit<FinderProps, 'onThere' | 'close'> {
  /** Letters typed anywhere on the screen open it, as long as nothing else takes them. */
  readonly hearsLetters?: boolean;
  /** The button at rest. */
  readonly ref?: RefObject<HTMLButtonElement | null>;
}

/** One of many. At rest it is a button that names the one; open, a field in the button's place, with a list below it. */
export function FindField({ hearsLetters = false, ref, ...props }: FindFieldProps) {
  const { label, placeholder, items, value } = props;
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  const { isOpen, open, type, take, close } = useFinding(button);
  useKeys(useMemo(() => (hearsLetters ? toKeys(label, type) : NO_KEYS), [hearsLetters, label, type]));
  const press = (event: KeyboardEvent): void => {
    if (OPENING.includes(event.key)) {
      event.preventDefault();
      open();
    } else if (!hearsLetters && isLetter(event)) {
      event.stopPropagation();
      type(event.key);
    }
  };
  const text = items.find((item) => item.value === value)?.label;
  return (
    <div className={styles['find']}>
      <button
        ref={button}
        type="button"
        className={styles['field']}
        aria-label={text === undefined ? label : `${label}: ${text}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        data-empty={text === undefined}
        onPointerEnter={Finder.prefetch}
        onFocus={Finder.prefetch}
        onClick={open}
        onKeyDown={press}
      >
        <span>{text ?? placeholder}</span>
      </button>
      {isOpen && <Finder {...props} onThere={take} close={close} />}
    </div>
  );
}

const OPENING: readonly string[] = ['ArrowDown', 'ArrowUp'];
const NO_KEYS: readonly KeyBinding[] = [];

function toKeys(label: string, run: (letter: string) => void): readonly KeyBinding[] {
  return [{ keys: LETTERS, does: `Type a name: ${label.toLowerCase()}`, group: 'Chart', run }];
}

type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>;

function isLetter(stroke: Stroke): boolean {
  return isText(stroke) && /[a-z0-9]/i.test(stroke.key);
}

/** What a field would take as it is: only keys that do something have longer names. */
function isText({ key, ctrlKey, altKey, metaKey }: Stroke): boolean {
  return key.length === 1 && !ctrlKey && !altKey && !metaKey;
}

function useFinding(button: RefObject<HTMLButtonElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const typedAhead = useRef('');
  const open = useCallback(() => {
    setOpen(true);
  }, []);
  const type = useCallback((letter: string) => {
    // At once: the letter is then typed into what has the keyboard, in place of what stood there.
    flushSync(() => {
      setOpen(true);
    });
    if (field.current === null) typedAhead.current += letter;
  }, []);
  const take = useCallback((input: HTMLInputElement) => {
    field.current = input;
    input.focus();
    input.select();
    if (typedAhead.current !== '') typeInto(input, typedAhead.current);
  }, []);
  // While the field is on its way all that is typed is meant for it, whatever else a key does on this screen.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const hear = (event: globalThis.KeyboardEvent): void => {
      if (field.current !== null || !isText(event)) return;
      event.preventDefault();
      event.stopPropagation();
      typedAhead.current += event.key;
    };
    window.addEventListener('keydown', hear, true);
    return () => {
      window.removeEventListener('keydown', hear, true);
    };
  }, [isOpen]);
  const close = useCallback(() => {
    const hadKeyboard = document.activeElement === field.current;
    field.current = null;
    typedAhead.current = '';
    setOpen(false);
    if (hadKeyboard) button.current?.focus();
  }, [button]);
  return { isOpen, open, type, take, close };
}

/** What was typed before the field was there, as if it were typed now. */
function typeInto(input: HTMLInputElement, text: string): void {
  input.setRangeText(text, 0, input.value.length, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
