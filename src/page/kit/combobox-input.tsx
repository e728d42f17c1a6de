import { Combobox } from '@base-ui/react/combobox';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { describeMiss, MarkedText } from './search-matches.tsx';
import styles from './combobox.module.css';

export interface ComboboxItem {
  readonly value: string;
  readonly label: string;
  /** Secondary text beside the label. */
  readonly remark?: string;
}

export interface ComboboxMatches<Item> {
  readonly items: readonly Item[];
  /** Whether nothing matches; the items are then suggestions. */
  readonly isMiss: boolean;
  /** The texts to mark in the items. */
  readonly marked: readonly string[];
}

export interface ComboboxInputProps<Item extends ComboboxItem> {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly Item[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** Called with the field once it is mounted. */
  readonly onReady: (input: HTMLInputElement) => void;
  readonly close: () => void;
}

interface SearchableProps<Item extends ComboboxItem> extends ComboboxInputProps<Item> {
  readonly search: (text: string) => ComboboxMatches<Item>;
  /** Renders what stands at the end of an item’s line. */
  readonly toEnd?: (item: Item) => ReactNode;
}

/** A text field with a list of matches. CSS alone positions the list: positioning code would nearly double its size. */
export function ComboboxInput<Item extends ComboboxItem>({
  label,
  placeholder,
  items,
  value,
  onChange,
  onReady,
  close,
  search,
  toEnd,
}: SearchableProps<Item>) {
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (input.current === null) return;
    popup.current?.style.setProperty('--left', `${String(input.current.getBoundingClientRect().left)}px`);
    onReady(input.current);
  }, [onReady]);
  const selected = items.find((item) => item.value === value) ?? null;
  const [text, setText] = useState(selected?.label ?? '');
  // The label of the selected item is not a search.
  const sought = text === selected?.label ? '' : text;
  const { items: found, isMiss, marked } = useMemo(() => search(sought), [search, sought]);
  return (
    <Combobox.Root
      items={items}
      filteredItems={found}
      inputValue={text}
      onInputValueChange={setText}
      value={selected}
      onValueChange={(item: Item | null) => {
        if (item !== null) onChange(item.value);
      }}
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      autoHighlight
    >
      <Combobox.Input
        ref={input}
        className={styles['input']}
        aria-label={label}
        placeholder={placeholder}
        onBlur={close}
      />
      {/* A press on the list’s scroll bar must not take the focus from the field. */}
      <div
        ref={popup}
        className={styles['popup']}
        onMouseDown={(event) => {
          event.preventDefault();
        }}
      >
        <Combobox.Status className={styles['empty']}>{isMiss && describeMiss(sought, found.length)}</Combobox.Status>
        <Combobox.List>
          {(item: Item) => (
            <Combobox.Item key={item.value} value={item} className={styles['item']}>
              <span>
                <MarkedText text={item.label} marked={marked} />
              </span>
              <span className={styles['remark']}>
                <MarkedText text={item.remark ?? ''} marked={marked} />
              </span>
              {toEnd?.(item)}
            </Combobox.Item>
          )}
        </Combobox.List>
      </div>
    </Combobox.Root>
  );
}
