import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAccess, useApi } from '#page/client/react/use-api.tsx';
import { useLazyProductSearch } from '#page/panels/products/use-lazy-product-search.ts';
import { useExchangeMinute } from '#page/panels/use-exchange-time.ts';
import { describeMiss, MarkedText } from '#page/kit/search-matches.tsx';
import { Dialog } from '#page/kit/dialog.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { useCommands } from '#page/kit/commands.tsx';
import { createRecentlyViewed } from '#page/kit/last-viewed.ts';
import { may } from '#page/client/access.ts';
import { useShellCommands } from './shell-commands.ts';
import { useProductPrices } from '../panels/products/use-product-prices.ts';
import { toUsable } from './screens.ts';
import { findInPalette, type PaletteGroup, type PaletteItem } from './palette-items.ts';
import styles from './command-palette.module.css';

const NO_PRODUCTS = [] as const;
const NO_OWNERS = [] as const;

interface CommandPaletteProps {
  readonly close: () => void;
  readonly text: string;
  readonly setText: (text: string) => void;
}

export function CommandPalette({ close, text, setText }: CommandPaletteProps) {
  const navigator = useNavigator();
  const { queries } = useApi();
  const { data, error } = useQuery(queries.desk.products({}));
  const ofScreen = useCommands();
  const ofShell = useShellCommands();
  const now = useExchangeMinute();
  const desk = useAccess();
  const { search } = useLazyProductSearch(data?.value.products ?? NO_PRODUCTS, true);
  const [recent] = useState(() => createRecentlyViewed(window, 'product').read());
  const { data: aliases } = useQuery({ ...queries.desk.aliases({}), enabled: may(desk, 'orders') && text !== '' });
  const owners = aliases?.value.aliases ?? NO_OWNERS;
  // The commands are those of the moment when the palette opened, so that no item moves under the pointer.
  const [commands] = useState(() => [...ofScreen, ...ofShell]);
  const { groups, marked } = useMemo(
    () => findInPalette(text, search, commands, now, toUsable(desk), { recent, owners }),
    [text, search, commands, now, desk, recent, owners],
  );
  const priceOf = useProductPrices();
  const choose = ({ to }: PaletteItem): void => {
    close();
    if (typeof to === 'string') navigator.go(to);
    else to();
  };
  return (
    <Dialog title="Search products, screens and commands" close={close} bare>
      <Autocomplete.Root
        items={groups}
        filter={null}
        itemToStringValue={({ label }: PaletteItem) => label}
        value={text}
        onValueChange={setText}
        inline
        open
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input
          className={styles['input']}
          placeholder="Search products, screens and commands"
          aria-label="Search products, screens and commands"
        />
        <Autocomplete.Empty className={styles['empty']}>{describeMiss(text, 0)}</Autocomplete.Empty>
        <Autocomplete.List className={styles['list']}>
          {(group: PaletteGroup) => <Group key={group.name} {...{ group, marked, choose, priceOf }} />}
        </Autocomplete.List>
      </Autocomplete.Root>
      {error !== null && <p className={styles['error']}>Products could not be loaded. {error.message}</p>}
    </Dialog>
  );
}

interface GroupProps {
  readonly group: PaletteGroup;
  readonly marked: readonly string[];
  readonly choose: (item: PaletteItem) => void;
  readonly priceOf: ReturnType<typeof useProductPrices>;
}

function Group({ group, marked, choose, priceOf }: GroupProps) {
  return (
    <Autocomplete.Group items={group.items}>
      <Autocomplete.GroupLabel className={styles['group']}>{group.name}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(item: PaletteItem) => (
          <Autocomplete.Item
            key={item.id}
            value={item}
            className={styles['item']}
            onClick={() => {
              choose(item);
            }}
          >
            <span>
              <MarkedText text={item.label} marked={marked} />
            </span>
            <span className={styles['remark']}>
              <MarkedText text={item.remark} marked={marked} />
            </span>
            {item.product !== undefined && <Price price={priceOf(item.product)} />}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

/** The last price and its change. Old figures look old, and a withheld one has its reason. */
function Price({ price }: { readonly price: ReturnType<ReturnType<typeof useProductPrices>> }) {
  if (price === null) return null;
  return (
    <span className={styles['price']} data-stale={price.isOld} title={price.withheld ?? undefined}>
      {price.isOld && 'stale '}
      {price.text}
    </span>
  );
}
