import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toPriceAddress } from './product-address.ts';

/**
 * Returns the address at which the legs of a spread are compared; null without legs. A spread that buys one contract and
 * sells one is beside the difference that its legs imply: the leg that is sold comes first, since it is subtracted.
 * `kept`: the parameters of the present address that the other keeps.
 */
export function toLegsAddress(product: DeskProduct, kept: URLSearchParams): string | null {
  const { legs = [] } = product;
  const [first, ...others] = legs;
  if (first === undefined || others.length === 0) return null;
  const byWeight = legs.toSorted((a, b) => a.weight - b.weight);
  const isDifference = byWeight.map(({ weight }) => weight).join() === '-1,1';
  const compared = isDifference ? byWeight : others;
  const ids = compared.map(({ product_id: id }) => String(toNumber(id)));
  const asDifference = isDifference ? '&compare=difference' : '';
  const path = toPriceAddress(isDifference ? product : { product_id: first.product_id });
  const rest = kept.toString();
  return `${path}?${rest === '' ? '' : `${rest}&`}vs=${ids.join()}${asDifference}`;
}
