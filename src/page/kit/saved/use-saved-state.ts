import { useState, useSyncExternalStore } from 'react';
import { attempt } from '../stored-value.ts';
import { createRecordStore, toStorageKey } from './saved-record.ts';

/** Where something that was saved is: here and at the desk, on its way, or here only, with the reason. */
export type SavedState =
  | { readonly is: 'everywhere' | 'on its way' }
  | { readonly is: 'here only'; readonly problem: string };

export function useSavedState(name: string): SavedState {
  const [store] = useState(() => createRecordStore(window));
  const { items, problem } = useSyncExternalStore(store.subscribe, store.read);
  const isAgreed = (attempt(() => localStorage.getItem(toStorageKey(name))) ?? '') === (items[name]?.text ?? '');
  if (isAgreed) return { is: 'everywhere' };
  return problem === '' ? { is: 'on its way' } : { is: 'here only', problem };
}
