import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AliasKind } from '#contract/desk/aliases.ts';
import { compareCodes } from '#model/compare-codes.ts';
import { useApi } from '#page/client/react/use-api.tsx';

export const OWNER_NOUNS: Readonly<Record<AliasKind, string>> = {
  account: 'account',
  firm: 'clearing firm',
  connection: 'connection',
};

/**
 * Returns the codes of one kind in the orders that Perpdesk has read, working or not, within the viewer’s scope;
 * undefined until they are known.
 */
export function useOwnerCodes(kind: AliasKind, isNeeded: boolean): readonly string[] | undefined {
  const { queries } = useApi();
  const { data } = useQuery({ ...queries.desk.aliases({}), enabled: isNeeded });
  const aliases = data?.value.aliases;
  return useMemo(
    () =>
      aliases && [...new Set(aliases.flatMap((one) => (one.kind === kind ? [one.code] : [])))].toSorted(compareCodes),
    [aliases, kind],
  );
}
