import { findFlaws } from './working-proof.ts';
import { readParts, type Filter, type Part, type SplitParts } from './working-parts.ts';

/**
 * The working set with its proof, as JSON: `{orders, complete, parts, read_from, read_to, unproven}`. The orders' own
 * text is the venue's. They were read within `read_from` to `read_to`: what moved meanwhile may be in two parts or none.
 */
export async function readWorkingSet(splitParts: SplitParts, filter: Filter): Promise<string> {
  const { parts, unproven } = await readParts(splitParts, filter);
  const doubts = [...unproven, ...findFlaws(parts)];
  const times = parts.map(({ readAt }) => readAt);
  const proof = JSON.stringify({
    complete: doubts.length === 0,
    unproven: doubts,
    parts: parts.map((part) => ({ filter: part.filter, count: part.rows.length, read_at: new Date(part.readAt).toISOString() })),
    read_from: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    read_to: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  });
  return `${proof.slice(0, -1)},"orders":[${ordersText(parts)}]}`;
}

function ordersText(parts: readonly Part[]): string {
  return parts.filter(({ text }) => text !== '').map(({ text }) => text).join(',');
}
