import { Combobox as Base } from '@base-ui/react/combobox';
import { useLayoutEffect, useRef, useState } from 'react';
import styles from './combobox.module.css';

export interface ComboboxItem {
  readonly value: string;
  readonly label: string;
  /** Fainter, beside the label. */
  readonly remark?: string;
}

interface ComboboxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly ComboboxItem[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** Called with the field as soon as it is there. */
  readonly onThere?: (input: HTMLInputElement) => void;
}

/**
 * One of many, found by typing. Its list hangs below it by style alone: code that looks for a better place weighs nearly
 * as much as all the rest.
 */
export function Combobox({ label, placeholder, items, value, onChange, onThere }: ComboboxProps) {
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current !== null) onThere?.(input.current);
  }, [onThere]);
  return (
    <div className={styles['combobox']}>
      <Base.Root
        items={items}
        value={items.find((item) => item.value === value) ?? null}
        onValueChange={(item: ComboboxItem | null) => {
          if (item !== null) onChange(item.value);
        }}
        open={open}
        onOpenChange={setOpen}
        autoHighlight
      >
        <Base.Input ref={input} className={styles['input']} aria-label={label} placeholder={placeholder} />
        {open && <Options />}
      </Base.Root>
    </div>
  );
}

/** Only while it is open: hundreds of elements that nobody sees would be made with the screen. */
function Options() {
  return (
    <div className={styles['popup']}>
      <Base.Empty className={styles['empty']}>Nothing by that name.</Base.Empty>
      <Base.List>
        {(item: ComboboxItem) => (
          <Base.Item key={item.value} value={item} className={styles['item']}>
            <span>{item.label}</span>
            <span className={styles['remark']}>{item.remark}</span>
          </Base.Item>
        )}
      </Base.List>
    </div>
  );
}
