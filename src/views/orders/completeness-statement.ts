import type { WorkingProof } from '#domain/orders/working-proof.ts';

export interface StatementSubject {
  readonly proof: WorkingProof;
  readonly exported: number;
  readonly file: string;
  /** What the list was filtered by, a sentence each. */
  readonly filters: readonly string[];
  readonly exportedAt: string;
  readonly request: string;
}

/** What each row of an export says of the set it is of. */
export function toSetWord({ complete }: WorkingProof): string {
  return complete ? 'complete' : 'INCOMPLETE';
}

/** What goes beside an export: how much of what there is it holds, and what proves that. */
export function toStatement({ proof, exported, file, filters, exportedAt, request }: StatementSubject): string {
  const { complete, unproven, parts, orders, repeated, readFrom, readTo } = proof;
  const statement = {
    file,
    set: toSetWord(proof),
    statement: complete
      ? `These are ${String(exported)} of the ${String(orders)} orders that were working; every part of the question was answered and no order is in two parts.`
      : `INCOMPLETE: there may be working orders that are not among the ${String(orders)} known, of which these are ${String(exported)}.`,
    unproven,
    exported_orders: exported,
    working_orders: orders,
    repeated_orders: repeated,
    filters,
    read_from: readFrom,
    read_to: readTo,
    parts: parts.map(({ asked, count, readAt }) => ({ asked, count, read_at: readAt })),
    request: `GET ${request}`,
    exported_at: exportedAt,
    reading: [
      'UTF-8, RFC 4180, times in UTC as they came.',
      'An apostrophe before a text keeps spreadsheets from taking it for a number or a formula; it is no part of the text.',
      'avg_price and last_modified may lag behind quantities; an order accepted just before the reading may be missing.',
    ],
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}
