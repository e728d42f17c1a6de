import { orderFilters, type Parameter } from '#contract/exchange/parameters.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { maySee, type Owner, type Scope } from './viewer.ts';

/** Owners and filters of orders, for rows as the exchange wrote them. */

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Returns the owner of an order. A code that the row lacks is empty, which no scope contains. */
function ownerOf(row: string): Owner {
  return {
    account: textOf(row, 'account_id'),
    firm: textOf(row, 'clearing_firm_code'),
    connection: textOf(row, 'connection_id').toLowerCase(),
  };
}

export function isVisible(scope: Scope, row: string): boolean {
  return scope === 'all' || maySee(scope, ownerOf(row));
}

function textOf(row: string, field: string): string {
  return toText(fieldOf(row, field));
}

/** Returns a number, or the content of a string; empty for anything else. */
export function toText(json: string | undefined): string {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns whether an order matches all filters among the parameters of a request, by the exchange’s own rules. */
export function toOrderFilter(query: Pairs): (row: string) => boolean {
  const rules = query.flatMap(([name, value]) => (isFilter(name) ? [toRule(name, value)] : []));
  return (row) => rules.every((matches) => matches(row));
}

function isFilter(name: string): name is keyof typeof orderFilters {
  return Object.hasOwn(orderFilters, name);
}

function toRule(name: keyof typeof orderFilters, value: string): (row: string) => boolean {
  const { rule }: Parameter = orderFilters[name];
  if (rule?.kind !== 'equal') throw new Error(`${name} has no field that proves it`);
  const comparable = (text: string): string => (rule.ignoresCase === true ? text.toLowerCase() : text);
  return (row) => rule.fields.some((field) => comparable(textOf(row, field)) === comparable(value));
}
