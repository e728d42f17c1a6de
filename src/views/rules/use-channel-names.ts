import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#api/react/use-api.tsx';

/** Names of the channels that a rule can call. */
export function useChannelNames(): readonly string[] {
  const { queries } = useApi();
  const channels = useQuery(queries.desk.calls({})).data?.value.channels;
  return useMemo(() => (channels ?? []).filter(({ state }) => state !== 'not configured').map(({ name }) => name), [channels]);
}
