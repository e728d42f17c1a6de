/** Returns IDs that are unique across restarts: the start time, then a number. */
export function createUniqueIds(startedAt: number): () => string {
  const prefix = startedAt.toString(36);
  let count = 0;
  return () => `${prefix}-${(count += 1).toString(36)}`;
}
