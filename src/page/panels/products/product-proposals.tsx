import { Fragment, type ReactNode } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { useProductSearch } from './create-known-search.ts';

interface ProductProposalsProps {
  /** The text that matches no product’s name. */
  readonly text: string;
  readonly products: readonly DeskProduct[];
  /** Renders a link or a button that leads to the product. */
  readonly toChoice: (product: DeskProduct) => ReactNode;
}

/** The number that can be read at a glance. */
const SHOWN = 3;

/** The products that a text may refer to. */
export function ProductProposals({ text, products, toChoice }: ProductProposalsProps) {
  const search = useProductSearch(products);
  const found = search.find(text);
  const proposals = (found.length > 0 ? found : search.nearest(text)).slice(0, SHOWN);
  if (proposals.length === 0) return null;
  return (
    <p>
      Did you mean{' '}
      {proposals.map((product, index) => (
        <Fragment key={String(product.product_id)}>
          {index > 0 && (index === proposals.length - 1 ? ' or ' : ', ')}
          {toChoice(product)}
        </Fragment>
      ))}
      ?
    </p>
  );
}
