import type { Part } from './part.ts';

/** Evidence that the parts are not what was requested: orders that do not match their filter, or orders in two parts. */
export function findInconsistencies(parts: readonly Part[]): readonly string[] {
  return [...parts.flatMap(({ doubts }) => doubts), ...repeatedAcross(parts)];
}

function repeatedAcross(parts: readonly Part[]): readonly string[] {
  const seen = new Set<unknown>();
  let repeated = 0;
  for (const row of parts.flatMap(({ rows }) => rows)) {
    if (seen.has(row['id'])) repeated += 1;
    seen.add(row['id']);
  }
  return repeated === 0 ? [] : [`Orders received more than once: ${String(repeated)}.`];
}
