import { toNumber } from '#contract/exchange/brand.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { withhold } from '#contract/exchange/row-notes.ts';
import type { NamedReason } from '#model/format/count.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { VoiResponse } from './shared/use-voi.ts';
import {
  describeAllOverdue,
  describeOverdue,
  type DueTimes,
  findOverdue,
  type Overdue,
  sessionsDueOf,
} from '#model/time/overdue.ts';
import { findLatestOpenInterest } from '#model/voi/voi-rows.ts';

const USD_FIELDS = ['notionalVolume', 'notionalOpenInterest'] as const;

/** Removes the USD values that are withheld: those of the products, and of any total that contains one of them. */
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

const NOUN = 'open interest';

/** Describes in a sentence how open interest is overdue; null if it is not. For expired products, none is due. */
export function describeOverdueInterest(
  { value, perProduct }: Pick<VoiResponse, 'value' | 'perProduct'>,
  products: readonly NamedProduct[],
  due: DueTimes | null,
): string | null {
  if (due === null) return null;
  if (perProduct !== undefined) {
    return describeAllOverdue(
      NOUN,
      'products',
      products.map(({ name, ...named }, at) => ({
        name,
        overdue: findOverdueInterest(perProduct[at]?.value ?? [], [named], due),
      })),
    );
  }
  const overdue = findOverdueInterest(value, products, due);
  return overdue && describeOverdue(NOUN, overdue);
}

/**
 * Returns how overdue a total is. A total is as new as its newest part, and one of perpetuals alone is due every day.
 */
function findOverdueInterest(
  rows: readonly VOIDataPoint[],
  products: readonly Pick<NamedProduct, 'product'>[],
  due: DueTimes,
): Overdue | null {
  const trading = products.flatMap(({ product }) =>
    product === null || product.product_status === 'expired' ? [] : [product],
  );
  const [slowest] = trading.toSorted((a, b) => Number(a.type === 'perpetual') - Number(b.type === 'perpetual'));
  return slowest === undefined
    ? null
    : findOverdue(findLatestOpenInterest(rows)?.date ?? null, sessionsDueOf(slowest, due).chartVoi);
}
