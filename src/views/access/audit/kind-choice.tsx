import { useId } from 'react';
import { AUDIT_KINDS } from '#contract/desk-access.ts';
import styles from '../access.module.css';

type KindOrAll = (typeof KIND_CHOICES)[number];

/** Without a kind, entries of all kinds. */
export const KIND_CHOICES = ['', ...AUDIT_KINDS] as const;

interface KindChoiceProps {
  readonly value: KindOrAll;
  readonly onChange: (kind: KindOrAll) => void;
}

export function KindChoice({ value, onChange }: KindChoiceProps) {
  const id = useId();
  return (
    <label htmlFor={id} className={styles['actions']}>
      What{' '}
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          onChange(KIND_CHOICES.find((kind) => kind === target.value) ?? '');
        }}
      >
        {KIND_CHOICES.map((kind) => (
          <option key={kind} value={kind}>
            {kind === '' ? 'Everything' : kind}
          </option>
        ))}
      </select>
    </label>
  );
}
