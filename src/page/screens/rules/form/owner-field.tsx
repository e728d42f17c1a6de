import { useState } from 'react';
import { OWNER_FILTERS } from '#contract/desk/aliases.ts';
import { Field, type FieldProps } from '#page/kit/field.tsx';
import { SuggestInput } from '#page/kit/suggest-input.tsx';
import { OWNER_NOUNS, useOwnerCodes } from '#page/panels/use-owner-codes.ts';

interface OwnerFieldProps extends FieldProps {
  /** A filter of orders that names an account, a clearing firm or a connection. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * Offers the codes of orders that Perpdesk has read. Another code is possible, since its first order may still come. The
 * text stays as typed, but its value has no surrounding spaces.
 */
export function OwnerField({ name, value, onChange, mistake, ...field }: OwnerFieldProps) {
  const kind = OWNER_FILTERS[name] ?? 'account';
  const codes = useOwnerCodes(kind, true);
  const [typed, setTyped] = useState(value);
  const isUnknown = value !== '' && codes?.some((code) => code.toLowerCase() === value.toLowerCase()) === false;
  return (
    <Field {...field} mistake={mistake ?? (isUnknown ? `No ${OWNER_NOUNS[kind]} matches.` : undefined)}>
      {(control) => (
        <SuggestInput
          {...control}
          value={typed.trim() === value ? typed : value}
          suggestions={codes}
          noun={OWNER_NOUNS[kind]}
          onChange={(text) => {
            setTyped(text);
            onChange(text.trim());
          }}
        />
      )}
    </Field>
  );
}
