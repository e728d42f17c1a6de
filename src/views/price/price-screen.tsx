import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DESK_PACES } from '#api/create-queries.ts';
import { useApi } from '#api/react/use-api.tsx';
import type { DeskProduct } from '#contract/desk.ts';
import { FindField } from '#ui/combobox/combobox.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { useAddress, useNavigator, useUrlState } from '#ui/navigation/navigation.tsx';
import { NoSuch } from '#panels/empty-states.tsx';
import { Panel } from '#panels/panel.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { useLast } from '#ui/use-last-viewed.ts';
import { findProduct, findUsualProduct, toProductItems, type NamedProduct } from '#domain/find-product.ts';
import { PriceControls } from './price-controls.tsx';
import { PRICE_PARAMS } from './price-params.ts';
import { ProductPrice } from './product-price.tsx';
import styles from './price.module.css';

interface PriceScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

const NONE: readonly DeskProduct[] = [];

/** Where a product is and how it moved. */
export function PriceScreen({ parameters: { id: wanted } }: PriceScreenProps) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({}));
  const products = directory.data?.value.products ?? NONE;
  const open = useOpenProduct();
  const named = useNamed(wanted, products);
  const { other, unknown } = useCompared(named, directory.data?.value.products);
  const waiting = named === null && directory.data === undefined;
  return (
    <div className={styles['screen']}>
      <Toolbar title="Price">
        <FindField hearsLetters label="Product" placeholder="Product …" items={toProductItems(products)} value={named && String(named.id)} onChange={open} />
        <PriceControls named={named} products={products} comparing={other !== null} />
      </Toolbar>
      {waiting && (
        <Panel title="Products" query={directory} everySeconds={DESK_PACES.products.reuseSeconds}>
          {() => null}
        </Panel>
      )}
      {!waiting && named === null && <NoSuch noun="product" name={wanted ?? ''} count={products.length} />}
      {unknown !== null && <NotCompared wanted={unknown} />}
      {named !== null && <ProductPrice named={named} other={other} />}
    </div>
  );
}

/** The product that the address names, or the usual one. */
function useNamed(wanted: string | undefined, directory: readonly DeskProduct[]): NamedProduct | null {
  const told = useMemo(() => (wanted === undefined ? null : findProduct(wanted, directory)), [wanted, directory]);
  const last = useLast('product', told?.product?.symbol ?? null);
  return useMemo(() => (wanted === undefined ? findUsualProduct(directory, last) : told), [wanted, directory, last, told]);
}

/** The other product that the address names; `unknown` where there is none by that name. */
function useCompared(named: NamedProduct | null, directory: readonly DeskProduct[] | undefined): { readonly other: NamedProduct | null; readonly unknown: string | null } {
  const [against] = useUrlState(PRICE_PARAMS.against);
  const found = useMemo(() => (against === '' ? null : findProduct(against, directory ?? NONE)), [against, directory]);
  return { other: found?.id === named?.id ? null : found, unknown: against !== '' && found === null && directory !== undefined ? against : null };
}

function NotCompared({ wanted }: { readonly wanted: string }) {
  const problem = `There is no product called ${wanted}. Choose another one to compare with.`;
  useAnnounced(`Not compared. ${problem}`);
  return (
    <p className={styles['notice']} role="note">
      <strong>Not compared.</strong> {problem}
    </p>
  );
}

/** The same range, scale and all of another product. */
function useOpenProduct(): (id: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return (id) => {
    const search = query.toString();
    navigator.go(`/price/${id}${search === '' ? '' : `?${search}`}`);
  };
}
