import { useQuery } from '@tanstack/react-query';
import { presentError } from '#page/client/present-error.ts';
import { useAccess } from '#page/client/react/use-access.ts';
import { useSavedApi } from '#page/client/react/use-saved-api.ts';
import type { SharedView } from '#contract/desk/saved.ts';
import type { ListName } from '../list-state/use-list-state.ts';

export interface SharedViews {
  /** Of this list, own ones included; undefined until they are read. */
  readonly views: readonly SharedView[] | undefined;
  /** Why they could not be read, or are older than usual; null if they could. */
  readonly problem: string | null;
}

/** The views of a list that people share. Null where nobody signs in: there is no one to share them with. */
export function useSharedViews(of: ListName): SharedViews | null {
  const isShared = useAccess() !== null;
  const { data, error } = useQuery({ ...useSavedApi().queries.sharedViews(), enabled: isShared });
  return isShared
    ? { views: data?.value.views.filter(({ list }) => list === of), problem: error && presentError(error).detail }
    : null;
}
