import { useMemo } from 'react';
import { countOf } from '#model/format/count.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Link, useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import styles from '../shared/markets-screen.module.css';
import { expiryFilter, listFilter, rightFilter, textFilter, typeFilter } from '#model/tables/markets/market-list.ts';
import { findInactive, removeProducts } from '../watchlists/active-products.ts';
import { useWatchlists, type Watchlists } from '../watchlists/watchlists.tsx';

interface OutcomeProps {
  /** The rows of all active products. */
  readonly rows: readonly MarketRow[];
}

/** Explains why no product is shown: because of the watchlist alone, or because of the other filters. */
export function NoRows({ rows }: OutcomeProps) {
  const { shown } = useWatchlists();
  const hasActive = shown === null || (shown !== undefined && findInactive(shown, rows).length < shown.products.length);
  return hasActive ? <NoneFound rows={rows} /> : <EmptyWatchlist shown={shown} />;
}

function NoneFound({ rows }: OutcomeProps) {
  const navigator = useNavigator();
  const [text] = useUrlState(textFilter);
  const clear = (): void => {
    writeQuery(navigator, (query) => {
      textFilter.write(query, '');
      typeFilter.write(query, 'all');
      listFilter.write(query, '');
      expiryFilter.write(query, '');
      rightFilter.write(query, '');
    });
  };
  return (
    <NoMatches total={rows.length} clear={clear} proposals={text !== '' && <Proposals text={text} rows={rows} />} />
  );
}

/** Proposes products. Each link drops all other filters, which might hide the product. */
function Proposals({ text, rows }: OutcomeProps & { readonly text: string }) {
  const products = useMemo(() => rows.map(({ product }) => product), [rows]);
  return (
    <LazyProductProposals
      text={text}
      products={products}
      toChoice={(product) => <Link to={`/?q=${encodeURIComponent(nameProduct(product))}`}>{nameProduct(product)}</Link>}
    />
  );
}

function EmptyWatchlist({ shown }: Pick<Watchlists, 'shown'>) {
  const { current, choose } = useWatchlists();
  const { title, text } = describe(shown);
  useAnnounced(title);
  return (
    <EmptyState title={title}>
      <p>{text}</p>
      <button
        type="button"
        onClick={() => {
          choose(current.id, false);
        }}
      >
        Show all products
      </button>
    </EmptyState>
  );
}

function describe(shown: Watchlists['shown']): { readonly title: string; readonly text: string } {
  if (!shown) return { title: 'Watchlist not found', text: 'The watchlist belongs to another person, or was deleted.' };
  const { name, products } = shown;
  if (products.length > 0)
    return {
      title: `No active products on “${name}”`,
      text: `The exchange no longer lists the watchlist’s ${countOf(products.length, 'product')} as active.`,
    };
  return { title: `“${name}” is empty`, text: 'Show all products, then add some with the star in the first column.' };
}

/** Reports which products of the watchlist are not in the list, and why. */
export function InactiveNotice({ rows }: OutcomeProps) {
  const { shown, update } = useWatchlists();
  const inactive = shown ? findInactive(shown, rows) : [];
  if (!shown || inactive.length === 0 || inactive.length === shown.products.length) return null;
  return (
    <p className={styles['notice']}>
      <span>
        <strong>
          {countOf(inactive.length, 'product')} of “{shown.name}” not shown.
        </strong>{' '}
        The exchange no longer lists {inactive.length === 1 ? 'it' : 'them'} as active.
      </span>
      <button
        type="button"
        onClick={() => {
          update((lists) => removeProducts(lists, shown.id, inactive));
        }}
      >
        Remove from watchlist
      </button>
    </p>
  );
}
