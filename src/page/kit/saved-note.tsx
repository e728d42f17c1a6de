import { useState, useSyncExternalStore } from 'react';
import { attempt } from './stored-value.ts';
import { createRecordStore, toStorageKey } from './saved-record.ts';
import { useAnnounced } from './live-region.tsx';

/** Where a saved item is: here and on the server, on its way there, or here only, with the reason. */
type SavedState = { readonly is: 'everywhere' | 'on its way' } | { readonly is: 'here only'; readonly problem: string };

function useSavedState(name: string): SavedState {
  const [store] = useState(() => createRecordStore(window));
  const { items, problem } = useSyncExternalStore(store.subscribe, store.read);
  const isAgreed = (attempt(() => localStorage.getItem(toStorageKey(name))) ?? '') === (items[name]?.text ?? '');
  if (isAgreed) return { is: 'everywhere' };
  return problem === '' ? { is: 'on its way' } : { is: 'here only', problem };
}

interface SavedNoteProps {
  /** Name of the item in the storage. */
  readonly name: string;
  readonly className?: string | undefined;
}

/** Says whether a saved item is in the user’s other browsers too. The parent must render it again with each change. */
export function SavedNote({ name, className }: SavedNoteProps) {
  const state = useSavedState(name);
  const problem = state.is === 'here only' ? `Saved in this browser only. ${state.problem}` : null;
  useAnnounced(problem);
  return (
    <p className={className}>
      {problem ?? (state.is === 'everywhere' ? 'Saved in Perpdesk: the same in all of your browsers.' : 'Saving…')}
    </p>
  );
}
