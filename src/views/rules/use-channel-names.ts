/** Names of the channels that a rule can call. */
export function useChannelNames(): readonly string[] {
  return NONE;
}

const NONE: readonly string[] = [];
