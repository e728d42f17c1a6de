import { integer, number, text } from '../exchange/fields.ts';
import { orderFilters, type Parameter } from '../exchange/parameters.ts';
import { list, optional, row, scalar, type Static } from '../exchange/schema.ts';

/** Kinds of orders by product. A perpetual is an outright. */
export const ORDER_KINDS = ['outright', 'option', 'spread'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** Filters of the orders that a rule is about. */
export const OrderFilter = row(
  'RuleOrderFilter',
  'Only orders that match all of these, like the filters of working orders.',
  {
    symbol: optional(text('Product symbol.')),
    product_id: optional(text('Product ID.')),
    product_type: optional(text('Product type of the order.')),
    clearing_member_code: optional(text('Short name of the clearing firm.')),
    account_id: optional(text('Account code.')),
    connection_id: optional(text('Connection that sent the order.')),
    kinds: optional(
      list(
        scalar<OrderKind>({
          type: 'string',
          enum: ORDER_KINDS,
          description: 'A kind of order: for a future or perpetual, an option or a spread.',
        }),
      ),
    ),
    age_over_seconds: optional(
      integer('Only working orders that the exchange accepted longer ago than this, by its clock.'),
    ),
    distance_over_percent: optional(
      number('Only working orders farther from the market price than this, in percent of it. No spread is.'),
    ),
    notional_over_usd: optional(number('Only working orders whose underlying notional is over this, in USD.')),
  },
);
export type RuleOrderFilter = Static<typeof OrderFilter>;

/** Filters that compare a figure of a working order. */
export const ORDER_LIMITS = ['age_over_seconds', 'distance_over_percent', 'notional_over_usd'] as const;

interface WrongFilter {
  readonly path: string;
  readonly detail: string;
}

/** Finds mistakes beyond the types of fields. */
export function findWrongFilters(filter: unknown, about: 'orders' | 'activity', path: string): readonly WrongFilter[] {
  const grammars: Readonly<Record<string, Parameter>> = orderFilters;
  const pairs = typeof filter === 'object' && filter !== null ? Object.entries(filter) : [];
  return pairs.flatMap(([name, value]: readonly [string, unknown]) => {
    const detail = findWrongLimit(name, value, about) ?? findWrongKinds(name, value);
    if (detail !== null) return [{ path: `${path}.${name}`, detail }];
    const grammar = Object.hasOwn(grammars, name) ? grammars[name]?.grammar : undefined;
    return grammar === undefined || typeof value !== 'string' || grammar.accepts(value)
      ? []
      : [{ path: `${path}.${name}`, detail: `must be ${grammar.sentence}` }];
  });
}

function findWrongLimit(name: string, value: unknown, about: 'orders' | 'activity'): string | null {
  if (!ORDER_LIMITS.some((known) => known === name)) return null;
  if (about === 'activity') return 'must only be given for working orders';
  return typeof value === 'number' && value < 0 ? 'must not be negative' : null;
}

function findWrongKinds(name: string, value: unknown): string | null {
  const isWrong =
    name === 'kinds' && Array.isArray(value) && (value.length === 0 || new Set(value).size < value.length);
  return isWrong ? 'must name at least one kind, and none twice' : null;
}
