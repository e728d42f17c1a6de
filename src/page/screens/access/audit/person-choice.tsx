import { useQuery } from '@tanstack/react-query';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import type { AuditEntry } from '#contract/desk/access.ts';
import { LogChoice } from './log-choice.tsx';

interface PersonChoiceProps {
  readonly value: string;
  readonly onChange: (who: string) => void;
  readonly entries: readonly AuditEntry[];
}

/** The people there are, and those who are only in what is loaded: deleted people and tokens. */
export function PersonChoice({ value, onChange, entries }: PersonChoiceProps) {
  const { queries } = useAccessApi();
  const people = useQuery(queries.people()).data?.value.people ?? [];
  const names = new Map([
    ...entries.map(({ who, name }) => [who, name] as const),
    ...people.map((person) => [person.id, person.name] as const),
  ]);
  if (value !== '' && !names.has(value)) names.set(value, value);
  const choices = [...names].filter(([who]) => who !== '').toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
  return <LogChoice label="Who" value={value} options={[['', 'Everyone'], ...choices]} onChange={onChange} />;
}
