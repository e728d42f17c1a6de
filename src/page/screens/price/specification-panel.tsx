import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { toNumber } from '#contract/exchange/brand.ts';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { IncrementCheck } from '#model/checks/judge-prices.ts';
import { describeTerm, showTerm, type TermContext } from '#model/markets/contract-terms.ts';
import { Panel } from '#page/panels/panel.tsx';
import { usePanelQuery } from '#page/panels/panel-body.tsx';
import { useTermContext } from '#page/panels/products/contract-facts.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { FINAL_SETTLEMENT, listSpecification, type SpecificationLine } from '#model/tables/price/list-specification.ts';
import styles from './specification.module.css';

interface SpecificationPanelProps {
  readonly named: NamedProduct;
  /** The check of the product's own tick size. */
  readonly check: IncrementCheck | null;
  /** Why the contract size is withheld, or null. */
  readonly sizeWithheld: string | null;
}

/** Shows everything that the exchange specifies about a product, from the product list that was already read. */
export function SpecificationPanel({ named: { name, product }, check, sizeWithheld }: SpecificationPanelProps) {
  const { queries } = useApi();
  const query = usePanelQuery(useQuery(queries.desk.products({})));
  const context = useTermContext(product);
  return (
    <Panel
      title={`${name}, specification`}
      query={query}
      everySeconds={DESK_ENDPOINTS.products.reuseSeconds}
      emptyState={() =>
        product === null ? (
          <EmptyState title="No specification">The exchange’s product list does not contain {name}.</EmptyState>
        ) : null
      }
    >
      {({ value: { source } }) => (
        <>
          {source !== 'product/specs' && (
            <p className={styles['notice']}>
              The exchange offers no product specifications. What is shown was inferred from its other responses.
            </p>
          )}
          {product !== null && context !== null && (
            <Lines product={product} context={withOwnCheck(context, product, check)} sizeWithheld={sizeWithheld} />
          )}
        </>
      )}
    </Panel>
  );
}

/** The screen has checked the product's own tick size with more data than the context has. */
function withOwnCheck(context: TermContext, product: DeskProduct, check: IncrementCheck | null): TermContext {
  return { ...context, checkOf: (other) => (other.product_id === product.product_id ? check : context.checkOf(other)) };
}

interface LinesProps {
  readonly product: DeskProduct;
  readonly context: TermContext;
  readonly sizeWithheld: string | null;
}

function Lines({ product, context, sizeWithheld }: LinesProps) {
  const lines = useMemo(() => listSpecification(product, context, sizeWithheld), [product, context, sizeWithheld]);
  return (
    <dl className={styles['lines']}>
      {lines.map((line) => (
        <div key={line.name} className={styles['line']}>
          <dt>
            {line.name} {line.unit !== undefined && <span className={styles['unit']}>{line.unit}</span>}
          </dt>
          <dd>
            <LineFigure line={line} />
            <LineLinks line={line} product={product} context={context} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LineFigure({ line: { id, name, term } }: { readonly line: SpecificationLine }) {
  const [zone] = useZone();
  const text =
    id === FINAL_SETTLEMENT && term.text !== null ? formatInstant(Date.parse(term.text), zone) : showTerm(term);
  return (
    <span data-withheld={term.isWithheld}>
      <Figure name={name} text={text} provenance={() => describeTerm(term, formatInAllZones)} />
    </span>
  );
}

/** Links to the products that a figure names. */
function LineLinks({
  line: { id },
  product,
  context,
}: { readonly line: SpecificationLine } & Pick<LinesProps, 'product' | 'context'>) {
  const { underlying_product: underlying, legs = [] } = product;
  const ids =
    id === 'legs'
      ? legs.map(({ product_id: leg }) => leg)
      : id === 'underlyingProduct' && underlying !== undefined
        ? [underlying]
        : [];
  return ids.map((each) => {
    const name = context.find(toNumber(each))?.symbol;
    return (
      name !== undefined && (
        <span key={String(each)}>
          {' '}
          <Link to={`/price/${encodeURIComponent(name)}`} aria-label={`Price of ${name}`}>
            Price{ids.length > 1 && ` of ${name}`}
          </Link>
        </span>
      )
    );
  });
}
