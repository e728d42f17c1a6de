import { useId } from 'react';
import styles from '../shared/access.module.css';

interface LogChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** What the log is narrowed to. */
export function LogChoice({ label, value, options, onChange }: LogChoiceProps) {
  const id = useId();
  return (
    <label htmlFor={id} className={styles['actions']}>
      {label}{' '}
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
