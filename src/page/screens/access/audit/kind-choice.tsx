import { AUDIT_KINDS } from '#contract/desk/access.ts';
import { LogChoice } from './log-choice.tsx';

type KindOrAll = (typeof KIND_CHOICES)[number];

/** Without a kind, entries of all kinds. */
export const KIND_CHOICES = ['', ...AUDIT_KINDS] as const;

const OPTIONS = KIND_CHOICES.map((kind) => [kind, kind === '' ? 'Everything' : kind] as const);

interface KindChoiceProps {
  readonly value: KindOrAll;
  readonly onChange: (kind: KindOrAll) => void;
}

export function KindChoice({ value, onChange }: KindChoiceProps) {
  return (
    <LogChoice
      label="What"
      value={value}
      options={OPTIONS}
      onChange={(chosen) => {
        onChange(KIND_CHOICES.find((kind) => kind === chosen) ?? '');
      }}
    />
  );
}
