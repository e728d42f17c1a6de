import { useQuery } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { describeTerm, nameOf, showTerm, type Term, type TermContext, TERMS } from '#model/markets/contract-terms.ts';
import { useExchangeMinute } from '../use-exchange-time.ts';
import { formatNumber } from '#model/format/number.ts';
import { describeTimeLeft, findNextExpiry, formatExpiryTime, isSoon, toExpiry } from '#model/products/expiry.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { keepRange } from '#model/products/keep-range.ts';
import { toPriceAddress } from '#model/products/product-address.ts';
import { Figure } from '#page/kit/figure.tsx';
import { Link, useAddress } from '#page/kit/navigation.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import styles from './contract-facts.module.css';

/** Returns the context in which a product’s terms are read; null until the directory has been read. */
export function useTermContext(product: DeskProduct | null): TermContext | null {
  const { queries } = useApi();
  const { data: products } = useQuery(queries.desk.products({}));
  const now = useExchangeMinute();
  // Only strikes depend on another product’s tick size, whose check needs responses that most screens share.
  const { voi, funding, data, sessions } = useDailyResponses(product?.type === 'option');
  return useMemo(() => {
    if (products === undefined) return null;
    const byId = new Map(products.value.products.map((each) => [toNumber(each.product_id), each]));
    const checksOf = createPriceChecks({ voi, funding, data, sessions });
    return { products, now, find: (id) => byId.get(id), checkOf: (each) => checksOf(each).check };
  }, [products, now, voi, funding, data, sessions]);
}

/** The terms that distinguish contracts of one underlying: expiry, an option’s strike, a spread’s legs. */
export function ContractFacts({ product }: { readonly product: DeskProduct }) {
  const context = useTermContext(product);
  if (context === null || !hasFacts(product)) return null;
  return (
    <span className={styles['facts']}>
      {product.type === 'option' && <OptionTerms product={product} context={context} />}
      {product.legs !== undefined && <Legs product={product} context={context} />}
      <ExpiryFact product={product} context={context} />
    </span>
  );
}

/** The product that expires first, among several. */
export function NextExpiry({ products }: { readonly products: readonly DeskProduct[] }) {
  const context = useTermContext(null);
  const product = context && findNextExpiry(products, context.now);
  if (context === null || product === null) return null;
  return (
    <span className={styles['facts']}>
      <span>
        Next expiry: <ProductLink id={toNumber(product.product_id)} context={context} />
      </span>
      <ExpiryFact product={product} context={context} />
    </span>
  );
}

function hasFacts(product: DeskProduct): boolean {
  return toExpiry(product, null) !== null || product.type === 'option' || product.legs !== undefined;
}

interface FactProps {
  readonly product: DeskProduct;
  readonly context: TermContext;
}

function ExpiryFact({ product, context }: FactProps) {
  const expiry = toExpiry(product, context.now);
  if (expiry === null) return null;
  const { msLeft } = expiry;
  const isOver = product.product_status === 'expired';
  const text =
    isOver || msLeft === null
      ? formatExpiryTime({ ...expiry, msLeft: null })
      : `${formatExpiryTime(expiry)}, ${describeTimeLeft(msLeft)}`;
  return (
    <span className={styles['expiry']} data-soon={!isOver && isSoon(expiry)}>
      <TermFigure
        name="Expiry"
        text={`${isOver ? 'expired' : 'expires'} ${text}`}
        term={msLeft === null || isOver ? TERMS.expiry(product, context) : TERMS.daysLeft(product, context)}
      />
    </span>
  );
}

/** `call on BUSZ26, strike 120,000 USD`. */
function OptionTerms({ product, context }: FactProps) {
  const [right, strike] = [TERMS.right(product, context), TERMS.strike(product, context)];
  const { underlying_product: underlying } = product;
  return (
    <span>
      {right.text ?? 'option'}
      {underlying !== undefined && (
        <>
          {' on '}
          <ProductLink id={toNumber(underlying)} context={context} />
        </>
      )}
      {', '}
      <TermFigure
        name="Strike"
        text={`strike ${showTerm(strike)}${strike.text === null ? '' : ' USD'}`}
        term={strike}
      />
    </span>
  );
}

/** `legs +1 BUSX26, −1 BUSZ26`. */
function Legs({ product: { legs = [] }, context }: FactProps) {
  return (
    <span>
      legs{' '}
      {legs.map(({ product_id: id, weight }, index) => (
        <Fragment key={String(id)}>
          {index > 0 && ', '}
          {formatNumber(toDecimal(String(weight)), { signed: true })}{' '}
          <ProductLink id={toNumber(id)} context={context} />
        </Fragment>
      ))}
    </span>
  );
}

function ProductLink({ id, context }: { readonly id: number; readonly context: TermContext }) {
  const { query } = useAddress();
  const product = context.find(id);
  const to = product === undefined ? `/price/${String(id)}` : toPriceAddress(product);
  return <Link to={keepRange(to, query)}>{nameOf(id, context)}</Link>;
}

function TermFigure({ name, text, term }: { readonly name: string; readonly text: string; readonly term: Term }) {
  return <Figure name={name} text={text} provenance={() => describeTerm(term, formatInAllZones)} />;
}
