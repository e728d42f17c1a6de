import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { type DueTimes, sessionsDueOf } from '#model/time/due-times.ts';
import { describeAllOverdue, describeOverdue, findOverdue, type Overdue } from '#model/time/overdue.ts';
import { findLatestOpenInterest } from '#model/voi/voi-rows.ts';
import type { VoiResponse } from './shared/use-voi.ts';

const NOUN = 'open interest';

/** That open interest is older than it may be, in a sentence; null where it is not. Of expired products none is due. */
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

/** A total is as new as its newest part: of perpetuals alone it is due every day. */
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
