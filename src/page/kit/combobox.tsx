import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { LETTERS, type KeyBinding } from './keyboard.ts';
import { useKeys } from './use-keys.tsx';
import type { LazyOverlayComponent } from './lazy.tsx';
import type { ComboboxInputProps, ComboboxItem } from './combobox-input.tsx';
import styles from './combobox.module.css';

export interface ComboboxProps<Item extends ComboboxItem> extends Omit<ComboboxInputProps<Item>, 'onReady' | 'close'> {
  /**
   * The field and its list. They are heavier than the rest of the screen, so they are loaded when the field gets the
   * focus or the pointer.
   */
  readonly Input: LazyOverlayComponent<ComboboxInputProps<Item>>;
  /** Whether letters typed anywhere on the screen open the combobox, unless another shortcut takes them. */
  readonly opensOnTyping?: boolean;
  /** The button shown while the combobox is closed. */
  readonly ref?: RefObject<HTMLButtonElement | null>;
}

/** A choice of one item from many. When closed, it is a button with the value; when open, a text field with a list. */
export function Combobox<Item extends ComboboxItem>({
  opensOnTyping = false,
  ref,
  Input,
  ...props
}: ComboboxProps<Item>) {
  const { label, placeholder, items, value } = props;
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  const { isOpen, open, type, take, close } = useOpenState(button);
  useKeys(useMemo(() => (opensOnTyping ? toKeys(label, type) : NO_KEYS), [opensOnTyping, label, type]));
  const press = (event: KeyboardEvent): void => {
    if (OPENING.includes(event.key)) {
      event.preventDefault();
      open();
    } else if (!opensOnTyping && isLetter(event)) {
      event.stopPropagation();
      type(event.key);
    }
  };
  const text = items.find((item) => item.value === value)?.label;
  return (
    <div className={styles['combobox']}>
      <button
        ref={button}
        type="button"
        className={styles['field']}
        aria-label={text === undefined ? label : `${label}: ${text}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        data-empty={text === undefined}
        onPointerEnter={Input.prefetch}
        onFocus={Input.prefetch}
        onClick={open}
        onKeyDown={press}
      >
        <span>{text ?? placeholder}</span>
      </button>
      {isOpen && <Input {...props} onReady={take} close={close} />}
    </div>
  );
}

const OPENING: readonly string[] = ['ArrowDown', 'ArrowUp'];
const NO_KEYS: readonly KeyBinding[] = [];

function toKeys(label: string, run: (letter: string) => void): readonly KeyBinding[] {
  return [{ keys: LETTERS, label: `Search by typing: ${label.toLowerCase()}`, group: 'Chart', run }];
}

type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>;

function isLetter(stroke: Stroke): boolean {
  return isText(stroke) && /[a-z0-9]/i.test(stroke.key);
}

/** Whether the key types a character. All other keys have names of more than one character. */
function isText({ key, ctrlKey, altKey, metaKey }: Stroke): boolean {
  return key.length === 1 && !ctrlKey && !altKey && !metaKey;
}

function useOpenState(button: RefObject<HTMLButtonElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const typedAhead = useRef('');
  const open = useCallback(() => {
    setOpen(true);
  }, []);
  const type = useCallback((letter: string) => {
    // Synchronous, so that the browser types the letter into the focused field, replacing its text.
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
  // While the field loads, typed characters are for it, even those that are shortcuts on this screen.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const collect = (event: globalThis.KeyboardEvent): void => {
      if (field.current !== null || !isText(event)) return;
      event.preventDefault();
      event.stopPropagation();
      typedAhead.current += event.key;
    };
    window.addEventListener('keydown', collect, true);
    return () => {
      window.removeEventListener('keydown', collect, true);
    };
  }, [isOpen]);
  const close = useCallback(() => {
    const hadFocus = document.activeElement === field.current;
    field.current = null;
    typedAhead.current = '';
    setOpen(false);
    if (hadFocus) button.current?.focus();
  }, [button]);
  return { isOpen, open, type, take, close };
}

/** Enters text as if it were typed. */
function typeInto(input: HTMLInputElement, text: string): void {
  input.setRangeText(text, 0, input.value.length, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
