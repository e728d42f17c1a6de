import { useState } from 'react';
import type { RuleDraft } from './rule-draft.ts';

interface StoredDraft {
  readonly draft: RuleDraft;
  /** What it was made of, so that a rule that somebody else has changed since is noticed. */
  readonly of: string;
}

/** What the unsaved draft of a rule was made of; null: there is no draft. */
export function findDraftOrigin(key: string): RuleDraft | null {
  const stored = read(toName(key));
  return stored === null ? null : toOrigin(stored);
}

function toOrigin({ of }: StoredDraft): RuleDraft {
  return JSON.parse(of) as RuleDraft;
}

/** An unsaved draft stays with its tab: whatever leads away from the form, nothing is lost. */
export function useStoredDraft(key: string, original: RuleDraft) {
  const name = toName(key);
  const of = JSON.stringify(original);
  const [stored, setStored] = useState(() => read(name));
  const draft = stored?.draft ?? original;
  const isChanged = stored !== null && JSON.stringify(stored.draft) !== of;
  return {
    draft,
    isChanged,
    /** What the draft was made of, where the rule is another one by now; otherwise null. */
    outdated: stored !== null && stored.of !== of ? toOrigin(stored) : null,
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

function toName(key: string): string {
  return `perpdesk.rule-draft.${key}`;
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
