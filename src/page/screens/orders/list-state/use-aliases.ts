import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { toAliasTable, type AliasTable } from '#model/tables/orders/alias-text.ts';

export interface AliasReading {
  /** Null until it is read. */
  readonly table: AliasTable | null;
  readonly error: Error | null;
  /** When it last failed. */
  readonly failedAt: number;
  readonly isFetching: boolean;
  readonly read: () => unknown;
}

/** What the desk knows of owners and their aliases; read only where an address or a filter needs it. */
export function useAliases(isNeeded: boolean): AliasReading {
  const { queries } = useApi();
  const { data, error, errorUpdatedAt, isFetching, refetch } = useQuery({
    ...queries.desk.aliases({}),
    enabled: isNeeded,
  });
  const entries = data?.value.aliases;
  const table = useMemo(() => (entries === undefined ? null : toAliasTable(entries)), [entries]);
  return { table, error, failedAt: errorUpdatedAt, isFetching, read: refetch };
}
