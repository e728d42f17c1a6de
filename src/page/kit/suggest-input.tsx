import { type InputHTMLAttributes, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '#model/format/count.ts';
import { MarkedText } from './search-matches.tsx';
import styles from './suggest-input.module.css';

export interface SuggestInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called with the suggestion that the user picks; without it, a pick is a change. */
  readonly onPick?: (text: string) => void;
  /** Undefined: not known. */
  readonly suggestions: readonly string[] | undefined;
  /** What a suggestion is, such as `account`. */
  readonly noun: string;
}

/** Further suggestions can be found by typing. */
const MOST_SHOWN = 50;

/** A text field with suggestions for its text. It takes any text, but says at once if that matches none of them. */
export function SuggestInput({ value, onChange, onPick = onChange, suggestions, noun, ...input }: SuggestInputProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState(-1);
  const sought = value.trim().toLowerCase();
  const found = suggestions?.filter((text) => text.toLowerCase().includes(sought)) ?? [];
  const shown = found.slice(0, MOST_SHOWN);
  const active = isOpen ? shown[place] : undefined;
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const put = (open: boolean, next = -1): void => {
    setOpen(open);
    setPlace(next);
  };
  const pick = (text: string): void => {
    put(false);
    onPick(text);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = STEPS[event.key];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      put(true, isOpen && place >= 0 ? (place + step + shown.length) % shown.length : step > 0 ? 0 : shown.length - 1);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      pick(active);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      put(false);
    } else {
      if (event.key === 'Enter') put(false);
      input.onKeyDown?.(event);
    }
  };
  const isMissed = suggestions !== undefined && sought !== '' && found.length === 0;
  return (
    <span className={styles['suggest']}>
      <input
        {...input}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : `${id}-${String(place)}`}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={({ target }) => {
          put(true);
          onChange(target.value);
        }}
        onFocus={(event) => {
          put(true);
          input.onFocus?.(event);
        }}
        onClick={() => {
          setOpen(true);
        }}
        onBlur={(event) => {
          put(false);
          input.onBlur?.(event);
        }}
        onKeyDown={press}
      />
      {isOpen && (shown.length > 0 || isMissed) && (
        // A press on the list must not take the focus from the field.
        <div
          ref={list}
          className={styles['popup']}
          onMouseDown={(event) => {
            event.preventDefault();
          }}
        >
          <div id={id} role="listbox" aria-label={`Known: ${noun}`}>
            {shown.map((text, index) => (
              <div
                key={text}
                id={`${id}-${String(index)}`}
                role="option"
                aria-selected={index === place}
                className={styles['option']}
                onClick={() => {
                  pick(text);
                }}
              >
                <MarkedText text={text} marked={[value.trim()]} />
              </div>
            ))}
          </div>
          {found.length > shown.length && (
            <p className={styles['note']}>{formatCount(found.length - shown.length)} more: type to find them.</p>
          )}
          {isMissed && (
            <p className={styles['note']} role="status">
              No {noun} matches “{value.trim()}”.
            </p>
          )}
        </div>
      )}
    </span>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
