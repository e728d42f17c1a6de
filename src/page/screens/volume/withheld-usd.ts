import { toNumber } from '#contract/exchange/brand.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { withhold } from '#contract/exchange/withheld.ts';
import type { NamedReason } from '#model/format/name-some.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { VoiResponse } from './shared/use-voi.ts';

const USD_FIELDS = ['notionalVolume', 'notionalOpenInterest'] as const;

/** The response without the USD values that are withheld: those of the products, and of a total that contains one of them. */
export function withholdUsdOf(
  response: VoiResponse,
  products: readonly NamedProduct[],
  checks: readonly NamedReason[],
  shown: 'total' | 'stacked',
): VoiResponse {
  const [first] = checks;
  if (first === undefined) return response;
  const ofTotal = products.length === 1 ? first.reason : `${first.name}: ${first.reason}`;
  const byId = new Map(
    products.flatMap(({ id, name }) =>
      checks.filter((check) => check.name === name).map(({ reason }) => [toNumber(id), reason]),
    ),
  );
  const reasonOf = ({ productId }: VOIDataPoint): string | null =>
    shown === 'total' ? ofTotal : (byId.get(toNumber(productId)) ?? null);
  const withheld = <T extends { readonly value: readonly VOIDataPoint[] }>(one: T): T => ({
    ...one,
    value: one.value.map((row) => withoutUsd(row, reasonOf(row))),
  });
  return { ...withheld(response), ...(response.perProduct && { perProduct: response.perProduct.map(withheld) }) };
}

function withoutUsd(row: VOIDataPoint, reason: string | null): VOIDataPoint {
  if (reason === null) return row;
  return USD_FIELDS.filter((field) => row[field] !== null).reduce(
    (kept, field) => withhold(kept, field, reason) as VOIDataPoint,
    row,
  );
}
