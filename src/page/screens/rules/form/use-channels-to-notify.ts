import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toFailureKind } from '#page/client/errors.ts';
import { useApi } from '#page/client/react/use-api.tsx';

/** The channels that a rule can notify. */
export interface ChannelsToNotify {
  /** Names of channels. */
  readonly names: readonly string[];
  /** Whether the person editing the rule may choose channels. */
  readonly mayChoose: boolean;
}

export function useChannelsToNotify(): ChannelsToNotify {
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
