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

/** A parameter of an endpoint, in its path or its query. */
export interface Parameter {
  readonly grammar: Grammar;
  readonly description: string;
  /** May be given more than once; every other parameter is refused when it is. */
  readonly repeatable?: true;
}

/**
 * Parameters that endpoints share. Times and days are texts by their grammar; none of them has a unit to convert. What is
 * so “here” in a description, the interface does not show: our exchange decided it, and its README lists it.
 */

export const productId: Parameter = { grammar: productIdGrammar, description: 'Product id.' };
export const productIds = {
  ...productId,
  description: 'Product id; several give their total.',
  repeatable: true,
} as const satisfies Parameter;
export const baseSymbol: Parameter = { grammar: codeGrammar, description: 'Base symbol of a product.' };
export const orderLimit: Parameter = { grammar: orderLimitGrammar, description: describeLimit(LARGEST_LIMIT.orders) };
export const fundingLimit: Parameter = { grammar: fundingLimitGrammar, description: describeLimit(LARGEST_LIMIT.funding) };
export const orderOrdering: Parameter = {
  grammar: orderingGrammar,
  description: 'Oldest or newest first. The interface names no default; here it is newest.',
};
export const fundingOrdering: Parameter = {
  grammar: orderingGrammar,
  description: 'Oldest or newest first; newest by default.',
};
export const cursor: Parameter = { grammar: cursorGrammar, description: 'Where an earlier page left off.' };
export const day: Parameter = {
  grammar: dayGrammar,
  description: 'One day; overrides begin_time and end_time. The interface shows no form of it; here it is a trading day, from settlement to settlement.',
};

/** A range of time; what is in it is each endpoint’s own: sessions by their settlement, orders by their acceptance. */
export const range = {
  begin_time: { grammar: instantGrammar, description: 'Start of the range. The interface does not say whether it is part of it; here it is.' },
  end_time: { grammar: instantOrNowGrammar, description: 'End of the range. The interface does not say whether it is part of it; here it is not.' },
} as const satisfies Record<string, Parameter>;

/** Settled funding from the desk's own store. */
export const deskFundingQuery = {
  base_symbol: { ...baseSymbol, description: 'One perpetual; all of them without it.' },
  begin_time: { grammar: instantGrammar, description: 'Only intervals that ended then or later.' },
  cursor: { ...cursor, description: 'Where an earlier page of one perpetual left off.' },
  limit: { ...fundingLimit, description: 'Rows per page of one perpetual.' },
} as const satisfies Record<string, Parameter>;

function describeLimit(largest: number): string {
  return `Rows per page. The interface names no maximum and no fixed default; here they are ${String(largest)} and ${String(DEFAULT_LIMIT)}.`;
}

/** Filters of both order endpoints. Several narrow the answer together. */
export const orderFilters = {
  symbol: { grammar: nameGrammar, description: 'Product symbol.' },
  product_id: productId,
  product_type: { grammar: productTypeGrammar, description: 'Kind of product.' },
  clearing_member_code: { grammar: nameGrammar, description: 'Short name of the clearing firm.' },
  account_id: { grammar: nameGrammar, description: 'Account code.' },
  connection_id: { grammar: connectionIdGrammar, description: 'Connection that sent the order.' },
} as const satisfies Record<string, Parameter>;

export const dayOfProducts: Parameter = {
  grammar: dayGrammar,
  description: 'Products as of that day; today by default.',
};

/** Which products, and as of when. */
export const productFlags = {
  day: dayOfProducts,
  active: { grammar: flagGrammar, description: 'true: only products that trade.' },
  base_symbol: baseSymbol,
} as const satisfies Record<string, Parameter>;
