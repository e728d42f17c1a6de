import { Combobox } from '@base-ui/react/combobox';
import { useLayoutEffect, useRef } from 'react';
import styles from './combobox.module.css';

export interface ComboboxItem {
  readonly value: string;
  readonly label: string;
  /** Secondary text beside the label. */
  readonly remark?: string;
  /** Searched, but not shown. */
  readonly also?: string;
}

export interface ComboboxInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly ComboboxItem[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** Called with the field once it is mounted. */
  readonly onReady: (input: HTMLInputElement) => void;
  readonly close: () => void;
}

/** Its list is positioned by CSS alone: positioning code would weigh nearly as much as all the rest. */
export function ComboboxInput({ label, placeholder, items, value, onChange, onReady, close }: ComboboxInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (input.current === null) return;
    popup.current?.style.setProperty('--left', `${String(input.current.getBoundingClientRect().left)}px`);
    onReady(input.current);
  }, [onReady]);
  const { contains } = Combobox.useFilter();
  return (
    <Combobox.Root
      items={items}
      filter={({ label: name, remark = '', also = '' }: ComboboxItem, text) => contains(`${name} ${remark} ${also}`, text)}
      value={items.find((item) => item.value === value) ?? null}
      onValueChange={(item: ComboboxItem | null) => {
        if (item !== null) onChange(item.value);
      }}
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      autoHighlight
    >
      <Combobox.Input ref={input} className={styles['input']} aria-label={label} placeholder={placeholder} onBlur={close} />
      {/* A press on its scroll bar must not take the focus from the field. */}
      <div
        ref={popup}
        className={styles['popup']}
        onMouseDown={(event) => {
          event.preventDefault();
        }}
      >
        <Combobox.Empty className={styles['empty']}>No matches.</Combobox.Empty>
        <Combobox.List>
          {(item: ComboboxItem) => (
            <Combobox.Item key={item.value} value={item} className={styles['item']}>
              <span>{item.label}</span>
              <span className={styles['remark']}>{item.remark}</span>
            </Combobox.Item>
          )}
        </Combobox.List>
      </div>
    </Combobox.Root>
  );
}
