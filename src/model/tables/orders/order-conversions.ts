import type { Json } from '../../evidence/evidence.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import type { OrderTerms } from '../../orders/order-terms.ts';
import type { Source } from '../../source.ts';

/** How the prices and quantities of each product were converted, in the order in which the products appear. */
export function toOrderConversions(rows: readonly OrderRow[], directory: Source | undefined): readonly Json[] {
  return [...new Set(rows.map(({ terms }) => terms))].map((terms) => toConversion(terms, directory));
}

function toConversion(terms: OrderTerms, directory: Source | undefined): Json {
  return {
    product_id: terms.productId,
    symbol: terms.product?.symbol ?? null,
    ...toFactors(terms),
    ...toMarket(terms),
    check: terms.check?.verdict ?? null,
    answer: directory === undefined ? null : `GET ${directory.target}`,
  };
}

function toFactors({ product, doubt, conversion, contractSize }: OrderTerms) {
  const spec = conversion?.spec ?? null;
  return {
    rule: 'price_usd = price_ticks × usd_per_tick; notional_usd = quantity_remaining × price_usd × contract_size',
    usd_per_tick: conversion?.factor ?? null,
    usd_per_tick_from: spec && `${spec.field} = ${spec.wireText}`,
    contract_size: contractSize?.toFixed() ?? null,
    contract_size_unit: product?.contract_size_unit ?? null,
    withheld: conversion?.withheld ?? doubt,
  };
}

/** For distances and the underlying notional. */
function toMarket({ market, underlying }: OrderTerms) {
  return {
    market_price_ticks: market?.price.value?.toFixed() ?? null,
    market_price_is: market?.is ?? null,
    underlying: underlying?.of ?? null,
    underlying_units_per_contract: underlying?.units.toFixed() ?? null,
  };
}
