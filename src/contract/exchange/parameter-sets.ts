import {
  codeGrammar,
  connectionIdGrammar,
  cursorGrammar,
  dayGrammar,
  DEFAULT_LIMIT,
  flagGrammar,
  fundingLimitGrammar,
  instantGrammar,
  instantOrNowGrammar,
  LARGEST_LIMIT,
  nameGrammar,
  orderLimitGrammar,
  orderingGrammar,
  productIdGrammar,
  productTypeGrammar,
  type Grammar,
} from './parameters.ts';
import type { ParameterRule } from './row-rules.ts';

/** A parameter of an endpoint, in its path or its query. */
export interface Parameter {
  readonly grammar: Grammar;
  readonly description: string;
  /** May be repeated; any other parameter is rejected when it is. */
  readonly repeatable?: true;
  /** How a row proves that it obeys the parameter; without it, rows cannot prove it. */
  readonly rule?: ParameterRule;
}

/**
 * Parameters that endpoints share. Where a description says “here”, the interface leaves a point open and the embedded
 * exchange decides it; its README lists these decisions.
 */

export const productId: Parameter = {
  grammar: productIdGrammar,
  description: 'Product id.',
  rule: { kind: 'equal', fields: ['product_id', 'productId'] },
};
export const productIds = {
  ...productId,
  description: 'Product id. Repeat it to get the total of several products.',
  repeatable: true,
} as const satisfies Parameter;
export const baseSymbol: Parameter = {
  grammar: codeGrammar,
  description: 'Base symbol of a product series.',
  rule: { kind: 'equal', fields: ['base_symbol'] },
};
/** Settled rates have no base symbol, but those of one perpetual have one product id. */
export const perpetualBaseSymbol: Parameter = { ...baseSymbol, rule: { kind: 'alike', field: 'product_id' } };
export const orderLimit: Parameter = { grammar: orderLimitGrammar, description: describeLimit(LARGEST_LIMIT.orders) };
export const fundingLimit: Parameter = {
  grammar: fundingLimitGrammar,
  description: describeLimit(LARGEST_LIMIT.funding),
};
export const orderOrdering: Parameter = {
  grammar: orderingGrammar,
  description: 'Sort order: oldest or newest first. The interface names no default; here it is newest first.',
  rule: { kind: 'order' },
};
export const fundingOrdering: Parameter = {
  grammar: orderingGrammar,
  description: 'Sort order: oldest or newest first; newest first by default.',
  rule: { kind: 'order' },
};
export const cursor: Parameter = { grammar: cursorGrammar, description: 'Cursor from the previous page.' };
export const day: Parameter = {
  grammar: dayGrammar,
  description:
    'One day; overrides begin_time and end_time. The interface does not define its format; here it is a trading day, from settlement to settlement.',
  rule: { kind: 'day' },
};

/** A time range. Sessions are in it by their settlement, orders by their acceptance. */
export const range = {
  begin_time: {
    grammar: instantGrammar,
    description: 'Start of the range. The interface does not say whether it is inclusive; here it is.',
    rule: { kind: 'begin' },
  },
  end_time: {
    grammar: instantOrNowGrammar,
    description: 'End of the range. The interface does not say whether it is inclusive; here it is not.',
    rule: { kind: 'end' },
  },
} as const satisfies Record<string, Parameter>;

/** Parameters of the settled funding that Perpdesk stores. */
export const deskFundingQuery = {
  base_symbol: { ...baseSymbol, description: 'Base symbol of one perpetual; all perpetuals without it.' },
  begin_time: { grammar: instantGrammar, description: 'Only intervals that ended at or after this time.' },
  cursor: { ...cursor, description: 'Cursor from the previous page of one perpetual.' },
  limit: { ...fundingLimit, description: 'Rows per page, for one perpetual.' },
} as const satisfies Record<string, Parameter>;

function describeLimit(largest: number): string {
  return `Rows per page. The interface names no maximum and no fixed default; here the maximum is ${String(largest)} and the default ${String(DEFAULT_LIMIT)}.`;
}

/** Filters of both order endpoints. An order must match all of them. */
export const orderFilters = {
  symbol: { grammar: nameGrammar, description: 'Product symbol.', rule: { kind: 'equal', fields: ['symbol'] } },
  product_id: productId,
  product_type: {
    grammar: productTypeGrammar,
    description: 'Product type.',
    rule: { kind: 'equal', fields: ['product_type'] },
  },
  clearing_member_code: {
    grammar: nameGrammar,
    description: 'Short name of the clearing firm.',
    rule: { kind: 'equal', fields: ['clearing_firm_code'] },
  },
  account_id: { grammar: nameGrammar, description: 'Account code.', rule: { kind: 'equal', fields: ['account_id'] } },
  connection_id: {
    grammar: connectionIdGrammar,
    description: 'Id of the connection that sent the order.',
    rule: { kind: 'equal', fields: ['connection_id'], ignoresCase: true },
  },
} as const satisfies Record<string, Parameter>;

export const dayOfProducts: Parameter = {
  grammar: dayGrammar,
  description: 'Products as of this day; today by default.',
};

/** Filters of products, and their day. */
export const productFlags = {
  day: dayOfProducts,
  active: { grammar: flagGrammar, description: 'Whether to return only products that trade.' },
  base_symbol: baseSymbol,
} as const satisfies Record<string, Parameter>;
