import { Fragment } from 'react';
import { expiredOn } from '#domain/expiry.ts';
import { toDecimal } from '#domain/decimal.ts';
import { formatNumber } from '#domain/format-number.ts';
import { describeProvenance } from '#domain/format-provenance.ts';
import { formatDay } from '#domain/format-time.ts';
import { formatQuantity, UNIT_NAMES } from '#domain/format-quantity.ts';
import { toOrdersAddress } from '#domain/orders-address.ts';
import { Figure } from '#ui/figure.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { Moment } from '#ui/time/moment.tsx';
import { useFromNow } from '#ui/time/use-now.tsx';
import { sessionOf } from '#domain/session.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { FactProblems, type FactQuery } from './fact-problems.tsx';
import type { PriceFact } from './price-facts.ts';
import styles from '../price.module.css';

interface PriceHeaderProps {
  readonly named: NamedProduct;
  readonly facts: readonly PriceFact[];
  /** More figures may come: their place is kept, so that the chart below does not move when they do. */
  readonly waiting: boolean;
  readonly parts: readonly FactQuery[];
}

/** What a product is, its figures of now, and where else it is seen. */
export function PriceHeader({ named, facts, waiting, parts }: PriceHeaderProps) {
  // What is held back for want of an answer may be told while answers come.
  const told = waiting ? facts.filter(({ quantity }) => quantity.withheld === null) : facts;
  const reasons = new Set(told.flatMap(({ quantity }) => quantity.withheld ?? []));
  return (
    <section className={styles['header']} aria-label={`${named.name} now`}>
      <Names named={named} />
      <dl className={styles['facts']} data-waiting={waiting || undefined}>
        {[...Map.groupBy(told, ({ name }) => name)].map(([name, inUnits]) => (
          <FactCell key={name} name={name} inUnits={inUnits} />
        ))}
      </dl>
      <FactProblems parts={parts} />
      {reasons.size > 0 && (
        <p className={styles['notice']} role="note">
          <strong>Withheld.</strong> {[...reasons].join(' ')}
        </p>
      )}
    </section>
  );
}

function Names({ named: { id, name, product } }: Pick<PriceHeaderProps, 'named'>) {
  const expired = expiredOn(product);
  return (
    <div className={styles['names']}>
      <h2 className={styles['name']}>{name}</h2>
      {product?.product_name !== undefined && <span>{product.product_name}</span>}
      <span className={styles['faint']}>{describe(product)}</span>
      {product?.product_status !== 'expired' && <TradingDate everyDay={product?.type === 'perpetual'} />}
      {expired !== null && <span className={styles['faint']}>expired on {formatDay(expired)}</span>}
      <span className={styles['links']}>
        {product?.type === 'perpetual' && <Link to={`/funding/${encodeURIComponent(product.base_symbol ?? '')}`}>Funding</Link>}
        {product?.symbol !== undefined && <Link to={toOrdersAddress(product.symbol)}>Orders</Link>}
        <Link to={`/volume?product=${String(id)}`}>Volume / OI</Link>
      </span>
    </div>
  );
}

/** Which day's session is open, or opens next. */
function TradingDate({ everyDay }: { readonly everyDay: boolean }) {
  const day = useFromNow((now) => sessionOf(now, { everyDay }));
  return <span className={styles['faint']}>trading date {formatDay(day)}</span>;
}

function describe(product: NamedProduct['product']): string {
  if (product === null) return '';
  const { type, product_status: status, contract_size: size, contract_size_unit: unit } = product;
  const contract = size === undefined ? undefined : `${formatNumber(toDecimal(String(size)))} ${unit ?? ''} a contract`;
  return [type, status === 'active' ? undefined : status, contract].filter((text) => text !== undefined).join(' · ');
}

/** One figure in its units, `+24.40 / +0.46`: each says for itself where it comes from. */
function FactCell({ name, inUnits }: { readonly name: string; readonly inUnits: readonly PriceFact[] }) {
  return (
    <div>
      <dt>
        {name} <span className={styles['faint']}>{inUnits.map(({ quantity }) => UNIT_NAMES[quantity.unit]).join(' / ')}</span>
      </dt>
      <dd>
        {inUnits.map((fact, index) => (
          <Fragment key={fact.quantity.unit}>
            {index > 0 && ' / '}
            <FactFigure fact={fact} />
          </Fragment>
        ))}
        {inUnits.map(({ quantity: { unit }, remark, at }) => (
          <Fragment key={unit}>
            {' '}
            <span className={styles['of']}>
              {remark}
              {at !== undefined && <Moment at={at} />}
            </span>
          </Fragment>
        ))}
      </dd>
    </div>
  );
}

function FactFigure({ fact: { name, quantity, signed = false, digits } }: { readonly fact: PriceFact }) {
  const text = quantity.withheld === null ? formatQuantity(quantity, { signed, ...(digits !== undefined && { digits }) }) : 'withheld';
  return (
    <span data-direction={signed ? directionOf(text) : undefined}>
      <Figure text={text} name={name} provenance={() => describeProvenance(quantity, formatInAllZones)} />
    </span>
  );
}

/** The sign is in the text; the colour says the same. */
function directionOf(text: string): 'up' | 'down' | undefined {
  return text.startsWith('+') ? 'up' : text.startsWith('−') ? 'down' : undefined;
}
