import type { Part } from './working-parts.ts';

/** The field of an order that each filter is about. */
const FIELDS: Readonly<Record<string, string>> = {
  symbol: 'symbol',
  product_id: 'product_id',
  product_type: 'product_type',
  clearing_member_code: 'clearing_firm_code',
  account_id: 'account_id',
  connection_id: 'connection_id',
};

/** What speaks against the parts being what they were asked for: a row beside its filter, an order in two parts. */
export function findFlaws(parts: readonly Part[]): readonly string[] {
  return [...parts.flatMap(strangersIn), ...repeatedAcross(parts)];
}

function strangersIn({ filter, rows }: Part): readonly string[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    const field = FIELDS[name] ?? name;
    const wanted = toComparable(field, value);
    const strangers = rows.filter((row) => toComparable(field, String(row[field])) !== wanted).length;
    return strangers === 0 ? [] : [`${String(strangers)} of ${String(rows.length)} orders asked for by ${name}=${value} are of another ${field}.`];
  });
}

/** A connection id is a hexadecimal number: it is the same in capitals. */
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
  return repeated === 0 ? [] : [`${String(repeated)} orders came twice.`];
}
