import { orderFilters, type Parameter } from '#contract/exchange/parameter-sets.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import type { RowText } from '../segment/change.ts';

/** What changes of orders are counted apart by: whatever orders are filtered by. */
export const TRAITS = Object.keys(orderFilters) as readonly Trait[];
export type Trait = keyof typeof orderFilters;

/** Where among the traits those are that say whose an order is. */
export const OWNER_PLACES = {
  account: TRAITS.indexOf('account_id'),
  firm: TRAITS.indexOf('clearing_member_code'),
  connection: TRAITS.indexOf('connection_id'),
} as const;

const FIELDS = TRAITS.map((trait) => fieldsOf(trait));

/** The value of each trait as the order has it; undefined where it has none. */
export function writtenTraitsOf(row: RowText): readonly (string | undefined)[] {
  return FIELDS.map((fields) => firstOf(row, fields));
}

function firstOf(row: RowText, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = fieldOf(row, field);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether the value of a trait is one that is wanted. */
export interface TraitTest {
  /** Of the trait. */
  readonly place: number;
  readonly matches: (value: string) => boolean;
}

/** The filters among the parameters of a request for orders. */
export function toTraitTests(query: readonly (readonly [name: string, value: string])[]): readonly TraitTest[] {
  return query.flatMap(([name, value]) => {
    const place = TRAITS.findIndex((trait) => trait === name);
    return place === -1 ? [] : [{ place, matches: toMatcher(TRAITS[place], value) }];
  });
}

function toMatcher(trait: Trait | undefined, value: string): (text: string) => boolean {
  const rule = trait === undefined ? undefined : ruleOf(trait);
  if (rule?.ignoresCase !== true) return (text) => text === value;
  return (text) => text.toLowerCase() === value.toLowerCase();
}

function fieldsOf(trait: Trait): readonly string[] {
  return ruleOf(trait).fields;
}

function ruleOf(trait: Trait) {
  const { rule }: Parameter = orderFilters[trait];
  if (rule?.kind !== 'equal') throw new Error(`${trait} has no field that proves it`);
  return rule;
}
