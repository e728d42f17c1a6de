import { useState } from 'react';

interface Draft<Edited> {
  readonly edited: Edited;
  /** The value from which the edit started, or which it has set. The edit lasts as long as the field has that value. */
  readonly of: string;
}

/** Keeps the edited content of a field until its value changes elsewhere; null means that the field shows its value. */
export function useDraft<Edited>(
  value: string,
): readonly [edited: Edited | null, edit: (edited: Edited, of?: string) => void, drop: () => void] {
  const [draft, setDraft] = useState<Draft<Edited> | null>(null);
  const edit = (edited: Edited, of = value): void => {
    setDraft({ edited, of });
  };
  const drop = (): void => {
    setDraft(null);
  };
  return [draft?.of === value ? draft.edited : null, edit, drop];
}
