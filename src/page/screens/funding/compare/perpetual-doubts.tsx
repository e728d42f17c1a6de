import { useQuery } from '@tanstack/react-query';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { SpecificationDoubts } from '#page/panels/products/specification-doubts.tsx';
import styles from '../funding.module.css';

/** Says of which of the compared perpetuals the specification is in doubt. */
export function PerpetualDoubts({ perpetuals }: Pick<DeskFunding, 'perpetuals'>) {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.products({}));
  const compared = new Set(perpetuals.map(({ product_id: id }) => toNumber(id)));
  const products = data?.value.products.filter(({ product_id: id }) => compared.has(toNumber(id))) ?? [];
  return <SpecificationDoubts products={products} className={styles['notice']} />;
}
