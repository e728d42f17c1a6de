import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDoor } from '#api/react.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useNavigator } from '#ui/navigation/navigation.tsx';
import { useOffers } from '#ui/offers.tsx';
import { toPaletteGroups, type PaletteGroup, type PaletteItem } from './palette-items.ts';
import styles from './palette.module.css';

const NO_PRODUCTS = [] as const;

interface PaletteProps {
  readonly close: () => void;
  readonly text: string;
  readonly setText: (text: string) => void;
}

/** Goes anywhere, and does what the screen offers, by typing a part of its name. */
export function Palette({ close, text, setText }: PaletteProps) {
  const navigator = useNavigator();
  const { queries } = useDoor();
  const { data, error } = useQuery(queries.desk.products({}));
  const offers = useOffers();
  const products = data?.value.products ?? NO_PRODUCTS;
  const groups = useMemo(() => toPaletteGroups(products, offers), [products, offers]);
  const goTo = ({ to }: PaletteItem): void => {
    close();
    if (typeof to === 'string') navigator.go(to);
    else to();
  };
  return (
    <Dialog title="Find a screen or product" close={close} bare>
      <Autocomplete.Root
        items={groups}
        itemToStringValue={({ label, also = '' }: PaletteItem) => `${label} ${also}`}
        value={text}
        onValueChange={setText}
        inline
        open
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input className={styles['input']} placeholder="Product, screen …" aria-label="Product or screen" />
        <Autocomplete.Empty className={styles['empty']}>Nothing has that in its name.</Autocomplete.Empty>
        <Autocomplete.List className={styles['list']}>
          {(group: PaletteGroup) => <Group key={group.name} group={group} choose={goTo} />}
        </Autocomplete.List>
      </Autocomplete.Root>
      {error !== null && <p className={styles['trouble']}>The products could not be read. {error.message}</p>}
    </Dialog>
  );
}

interface GroupProps {
  readonly group: PaletteGroup;
  readonly choose: (item: PaletteItem) => void;
}

function Group({ group, choose }: GroupProps) {
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
            <span>{item.label}</span>
            <span className={styles['remark']}>{item.remark}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}
