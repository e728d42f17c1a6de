import { useState } from 'react';

interface Draft<Edited> {
  readonly edited: Edited;
  /** What the edit was made of, or what it has set: it lasts as long as that is the value. */
  readonly of: string;
}

/** What a field shows while it is edited, until its value is changed from elsewhere; null: the value itself. */
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
