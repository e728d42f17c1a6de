import { orderFilters, type Parameter } from '#contract/parameter-sets.ts';
import { fieldOf } from '#contract/parsing/row-texts.ts';
import type { ShownChange } from '../../journal/read-journal.ts';
import { toTrait } from '../../journal/summary/traits.ts';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Whether a change is of an order that matches all filters, as those of working orders, and of one of the kinds. */
export function toChangeFilter(query: Pairs): (change: ShownChange) => boolean {
  const kinds = query.filter(([name]) => name === 'kind').map(([, kind]) => kind);
  const id = query.find(([name]) => name === 'order_id')?.[1];
  const rules = query.flatMap(([name, value]) => (isFilter(name) ? [toRule(name, value)] : []));
  return (change) => (kinds.length === 0 || kinds.includes(change.kind)) && (id === undefined || id === change.id) && rules.every((matches) => matches(change.row));
}

function isFilter(name: string): name is keyof typeof orderFilters {
  return Object.hasOwn(orderFilters, name);
}

function toRule(name: keyof typeof orderFilters, value: string): (row: string) => boolean {
  const { rule }: Parameter = orderFilters[name];
  if (rule?.kind !== 'equal') throw new Error(`${name} has no field that proves it`);
  const comparable = (text: string): string => (rule.ignoresCase === true ? text.toLowerCase() : text);
  return (row) => rule.fields.some((field) => comparable(toTrait(fieldOf(row, field))) === comparable(value));
}
