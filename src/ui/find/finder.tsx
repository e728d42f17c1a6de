import { Combobox } from '@base-ui/react/combobox';
import { useLayoutEffect, useRef } from 'react';
import styles from './find.module.css';

export interface FindItem {
  readonly value: string;
  readonly label: string;
  /** Fainter, beside the label. */
  readonly remark?: string;
  /** Not shown, but found by. */
  readonly also?: string;
}

export interface FinderProps {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly FindItem[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** Called with the field as soon as it is there. */
  readonly onThere: (input: HTMLInputElement) => void;
  readonly close: () => void;
}

/**
 * Finds one of many by typing. Its list hangs below it by style alone: code that looks for a better place weighs nearly as
 * much as all the rest.
 */
export function Finder({ label, placeholder, items, value, onChange, onThere, close }: FinderProps) {
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (input.current === null) return;
    popup.current?.style.setProperty('--left', `${String(input.current.getBoundingClientRect().left)}px`);
    onThere(input.current);
  }, [onThere]);
  const { contains } = Combobox.useFilter();
  return (
    <Combobox.Root
      items={items}
      filter={({ label: name, remark = '', also = '' }: FindItem, text) => contains(`${name} ${remark} ${also}`, text)}
      value={items.find((item) => item.value === value) ?? null}
      onValueChange={(item: FindItem | null) => {
        if (item !== null) onChange(item.value);
      }}
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      autoHighlight
    >
      <Combobox.Input ref={input} className={styles['input']} aria-label={label} placeholder={placeholder} onBlur={close} />
      {/* Pressed beside its lines, at its scroll bar, it does not take the keyboard from the field. */}
      <div
        ref={popup}
        className={styles['popup']}
        onMouseDown={(event) => {
          event.preventDefault();
        }}
      >
        <Combobox.Empty className={styles['empty']}>Nothing by that name.</Combobox.Empty>
        <Combobox.List>
          {(item: FindItem) => (
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
