import { useState } from 'react';
import type { RuleDraft } from './rule-draft.ts';

interface StoredDraft {
  readonly draft: RuleDraft;
  /** What it was made of, so that a rule that somebody else has changed since is noticed. */
  readonly of: string;
}

/** An unsaved draft stays with its tab: whatever leads away from the form, nothing is lost. */
export function useStoredDraft(key: string, original: RuleDraft) {
  const name = `perpdesk.rule-draft.${key}`;
  const of = JSON.stringify(original);
  const [stored, setStored] = useState(() => read(name));
  const draft = stored?.draft ?? original;
  const isChanged = stored !== null && JSON.stringify(stored.draft) !== of;
  return {
    draft,
    isChanged,
    /** The rule is no longer what the draft was made of. */
    isOutdated: stored !== null && stored.of !== of,
    change: (next: RuleDraft): void => {
      const changed = { draft: next, of: stored?.of ?? of };
      setStored(changed);
      write(name, JSON.stringify(changed));
    },
    discard: (): void => {
      setStored(null);
      write(name, null);
    },
  };
}

function read(name: string): StoredDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as StoredDraft | null;
  } catch {
    return null;
  }
}

/** Where the browser stores nothing, the draft lasts as long as the form. */
function write(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // As above.
  }
}
