import { Fragment } from 'react';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { formatNumber } from '#model/format/number.ts';
import { findNextExpiry } from '#model/products/next-expiry.ts';
import { nameOf, TERMS } from '#model/specification/contract-terms.ts';
import { describeTimeLeft, formatExpiryTime, isSoon, toExpiry } from '#model/products/expiry.ts';
import { describeTerm, showTerm, type Term, type TermContext } from '#model/specification/term.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { useTermContext } from './use-term-context.ts';
import styles from './contract-facts.module.css';

/** What sets a dated contract apart from others of its underlying: its expiry, an option's strike, a spread's legs. */
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

/** Of several products, the one that expires first. */
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
  return <Link to={`/price/${String(id)}`}>{nameOf(id, context)}</Link>;
}

function TermFigure({ name, text, term }: { readonly name: string; readonly text: string; readonly term: Term }) {
  return <Figure name={name} text={text} provenance={() => describeTerm(term, formatInAllZones)} />;
}
