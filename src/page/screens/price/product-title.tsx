import { useMay } from '#page/client/react/use-api.tsx';
import { formatNumber } from '#model/format/number.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { keepRange, pickRange } from '#model/products/keep-range.ts';
import { toLegsAddress } from '#model/products/legs-address.ts';
import { toVolumeAddress } from '#model/products/product-address.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { Link, useAddress } from '#page/kit/navigation.tsx';
import { ContractFacts } from '#page/panels/products/contract-facts.tsx';
import { toOrdersAddress } from '#page/panels/orders-address.ts';
import { SpecificationToggle } from './disclosure.tsx';
import { ProductActions } from './product-actions.tsx';
import styles from './shared/price.module.css';

interface ProductTitleProps {
  readonly named: NamedProduct;
  readonly isSizeWithheld: boolean;
  /** The last price in USD; null if it is unknown or withheld. */
  readonly last: string | null;
}

/** The product's names and terms, what can be done with it, and links to its other screens. */
export function ProductTitle({ named, isSizeWithheld, last }: ProductTitleProps) {
  const { id, name, product } = named;
  const mayOpenOrders = useMay('orders');
  const { query } = useAddress();
  const legs = product === null ? null : toLegsAddress(product, pickRange(query));
  return (
    <div className={styles['titleLine']}>
      <h2>{name}</h2>
      {product !== null && <ProductActions product={product} last={last} />}
      <span className={styles['terms']}>
        {product?.product_name !== undefined && <span>{product.product_name}</span>}
        <span className={styles['faint']}>{describeProduct(product, isSizeWithheld)}</span>
        {product !== null && <ContractFacts product={product} />}
      </span>
      <span className={styles['titleLinks']}>
        <SpecificationToggle />
        {product?.type === 'perpetual' && (
          <Link to={`/funding/${encodeURIComponent(product.base_symbol ?? '')}`}>Funding</Link>
        )}
        {mayOpenOrders && product?.symbol !== undefined && <Link to={toOrdersAddress(product.symbol)}>Orders</Link>}
        {legs !== null && <Link to={legs}>Compare legs</Link>}
        <Link to={keepRange(toVolumeAddress({ product_id: id, ...product }), query)}>Volume / OI</Link>
      </span>
    </div>
  );
}

function describeProduct(product: NamedProduct['product'], isSizeWithheld: boolean): string {
  if (product === null) return '';
  const { type, product_status: status, contract_size: size, contract_size_unit: unit } = product;
  const contract =
    size === undefined
      ? undefined
      : `contract size ${isSizeWithheld ? 'n/a' : formatNumber(toDecimal(String(size)))} ${unit ?? ''}`.trim();
  return [type, status === 'active' ? undefined : status, contract].filter((text) => text !== undefined).join(' · ');
}
