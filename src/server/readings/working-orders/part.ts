import { WORKING_ORDERS_LIMIT_TEXT } from '#contract/exchange/order.ts';
import type { RowCheck, RowFindings } from '#contract/parse/row-check.ts';
import type { Served } from '#server/core/ports.ts';
import { splitList } from '#contract/parse/json-split.ts';
import { parseList, type Row } from '#server/core/rows.ts';
import { provenanceOf, type Provenance } from '#server/core/provenance.ts';

export type Filter = Readonly<Record<string, string>>;

/** A part of the working set: the orders that match one filter, as the exchange returned them. */
export interface Part {
  readonly filter: Filter;
  readonly rows: readonly Row[];
  /** The rows' own text, without the brackets. */
  readonly text: string;
  /** Why the response may not be what was requested, a sentence each. */
  readonly doubts: readonly string[];
  readonly provenance: Provenance;
}

/** The part that a response contains, without the rows that do not answer the request. */
export function toPart(filter: Filter, served: Served, check: RowCheck): Part {
  const list = served.response.body.toString();
  const rows = parseList(list);
  const findings = check(rows);
  const used = { rows: withoutLeftOut(rows, findings), text: toText(list, findings) };
  return { filter, ...used, doubts: describeFindings(filter, rows.length, findings), provenance: provenanceOf(served) };
}

export function describe(filter: Filter): string {
  return (
    Object.entries(filter)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ') || 'no filter'
  );
}

function withoutLeftOut<Item>(items: readonly Item[], { leftOut }: RowFindings): readonly Item[] {
  return leftOut.size === 0 ? items : items.filter((_, position) => !leftOut.has(position));
}

function toText(list: string, findings: RowFindings): string {
  const whole = list.trim().slice(1, -1).trim();
  return findings.leftOut.size === 0
    ? whole
    : withoutLeftOut(splitList(list, list.indexOf('[') + 1), findings).join(',');
}

function describeFindings(filter: Filter, count: number, { leftOut, ofList }: RowFindings): readonly string[] {
  const causes = Map.groupBy(leftOut.values(), ({ kind, field }) => `${kind} ${field}`);
  const sentences = [...causes.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { kind, field, expected, found } = first;
    const verb = others.length === 0 ? 'is' : 'are';
    return [
      `${String(others.length + 1)} of ${String(count)} orders read with ${describe(filter)} ${verb} left out: ${kind} (${field}: expected ${expected}, found ${found}).`,
    ];
  });
  const excess = `The exchange returned ${String(count)} orders with ${describe(filter)}, although it rejects requests that match more than ${WORKING_ORDERS_LIMIT_TEXT}: more may exist.`;
  return ofList.some(({ kind }) => kind === 'too many rows') ? [...sentences, excess] : sentences;
}
