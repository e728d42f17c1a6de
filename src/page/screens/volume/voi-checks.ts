import { toNumber } from '#contract/exchange/brand.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { exemplify, type NamedReason } from '#model/format/count.ts';
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
import { findLatestOpenInterest, type VoiField, withholdVoi } from '#model/voi/voi-rows.ts';

/** Why a figure of a product is withheld. */
export interface VoiDoubt extends NamedReason {
  readonly field: VoiField;
}

/** Removes the figures that are withheld: those of the products, and of any total that contains one of them. */
export function withholdDoubtful(
  response: VoiResponse,
  products: readonly NamedProduct[],
  doubts: readonly VoiDoubt[],
  shown: 'total' | 'stacked',
): VoiResponse {
  if (doubts.length === 0) return response;
  const names = new Map(products.map(({ id, name }) => [toNumber(id), name]));
  const reasonOf = ({ productId }: VOIDataPoint, field: VoiField): string | null => {
    const found = doubts.find(
      (doubt) => doubt.field === field && (shown === 'total' || doubt.name === names.get(toNumber(productId))),
    );
    if (found === undefined) return null;
    return shown === 'total' && products.length > 1 ? `${found.name}: ${found.reason}` : found.reason;
  };
  const withheld = <T extends { readonly value: readonly VOIDataPoint[] }>(one: T): T => ({
    ...one,
    value: one.value.map((row) => withholdVoi(row, (field) => reasonOf(row, field))),
  });
  return { ...withheld(response), ...(response.perProduct && { perProduct: response.perProduct.map(withheld) }) };
}

const FIGURES: Readonly<Record<VoiField, string>> = {
  volume: 'volume in contracts',
  notionalVolume: 'volume in USD',
  openInterest: 'open interest in contracts',
  notionalOpenInterest: 'open interest in USD',
};

/** Describes doubts in notices: products with the same figures in doubt share one. */
export function describeDoubts(doubts: readonly VoiDoubt[]) {
  const products = [...Map.groupBy(doubts, ({ name }) => name)].map(([name, found]) => {
    const fields = found.map(({ field }) => field);
    const isUsd = fields.join() === 'notionalVolume,notionalOpenInterest';
    return {
      name,
      figures: isUsd ? 'USD values' : fields.map((field) => FIGURES[field]).join(', '),
      reason: [...new Set(found.map(({ reason }) => reason))].join(' '),
    };
  });
  return [...Map.groupBy(products, ({ figures }) => figures)].map(([figures, group]) => {
    const { names, reason } = exemplify(group);
    return { title: `${names}: ${figures} withheld.`, reason };
  });
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
