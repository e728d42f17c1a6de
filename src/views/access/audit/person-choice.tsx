import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useAccessApi } from '#api/react/use-access-api.ts';
import type { AuditEntry } from '#contract/desk-access.ts';
import styles from '../access.module.css';

interface PersonChoiceProps {
  readonly value: string;
  readonly onChange: (who: string) => void;
  readonly entries: readonly AuditEntry[];
}

/** The people there are, and those who are only in what is loaded: deleted people and tokens. */
export function PersonChoice({ value, onChange, entries }: PersonChoiceProps) {
  const { queries } = useAccessApi();
  const id = useId();
  const people = useQuery(queries.people()).data?.value.people ?? [];
  const names = new Map([...entries.map(({ who, name }) => [who, name] as const), ...people.map((person) => [person.id, person.name] as const)]);
  if (value !== '' && !names.has(value)) names.set(value, value);
  const choices = [...names].filter(([who]) => who !== '').toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
  return (
    <label htmlFor={id} className={styles['actions']}>
      Who{' '}
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        <option value="">Everyone</option>
        {choices.map(([who, name]) => (
          <option key={who} value={who}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
