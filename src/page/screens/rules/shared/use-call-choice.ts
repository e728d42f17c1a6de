import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toFailureKind } from '#page/client/failure-kind.ts';
import { useApi } from '#page/client/react/use-api.tsx';

/** What a rule can call. */
export interface CallChoice {
  /** Names of channels. */
  readonly names: readonly string[];
  /** Whether whoever makes the rule may choose channels. */
  readonly mayChoose: boolean;
}

export function useCallChoice(): CallChoice {
  const { queries } = useApi();
  const { data, error } = useQuery(queries.desk.calls({}));
  const channels = data?.value.channels;
  const mayChoose = error === null || toFailureKind(error) !== 'forbidden';
  return useMemo(
    () => ({
      names: (channels ?? []).filter(({ state }) => state !== 'not configured').map(({ name }) => name),
      mayChoose,
    }),
    [channels, mayChoose],
  );
}
