import { useState, useSyncExternalStore } from 'react';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { ListControl, ListName } from '../list-state/use-list-state.ts';
import { viewCommands } from './order-commands.ts';
import { createViewStore, type SavedView, type ViewStore } from './saved-views.ts';

export interface SavedViews {
  readonly list: ListControl;
  readonly store: ViewStore;
  readonly views: readonly SavedView[];
}

/** Returns the saved views of a list, and offers them in the command palette. */
export function useSavedViews(list: ListControl, of: ListName): SavedViews {
  const [store] = useState(() => createViewStore(window, of));
  const views = useSyncExternalStore(store.subscribe, store.read);
  useProvideCommands(() => viewCommands(views, list));
  return { list, store, views };
}
