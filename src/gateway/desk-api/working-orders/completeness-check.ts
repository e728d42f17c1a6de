import type { Part } from './read-in-parts.ts';

/** The order field that each filter matches. */
const FIELDS: Readonly<Record<string, string>> = {
  symbol: 'symbol',
  product_id: 'product_id',
  product_type: 'product_type',
  clearing_member_code: 'clearing_firm_code',
  account_id: 'account_id',
  connection_id: 'connection_id',
};

/** Evidence that the parts are not what was requested: orders that do not match their filter, or orders in two parts. */
export function findInconsistencies(parts: readonly Part[]): readonly string[] {
  return [...parts.flatMap(mismatchesIn), ...repeatedAcross(parts)];
}

function mismatchesIn({ filter, rows }: Part): readonly string[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    const field = FIELDS[name] ?? name;
    const wanted = toComparable(field, value);
    const mismatches = rows.filter((row) => toComparable(field, String(row[field])) !== wanted).length;
    return mismatches === 0 ? [] : [`${String(mismatches)} of ${String(rows.length)} orders read with ${name}=${value} have a different ${field}.`];
  });
}

/** Connection ids are hexadecimal, so case does not matter. */
function toComparable(field: string, value: string): string {
  return field === 'connection_id' ? value.toLowerCase() : value;
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
