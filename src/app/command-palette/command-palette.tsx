import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#api/react/use-api.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useNavigator } from '#ui/navigation/navigation.tsx';
import { useCommands } from '#ui/commands.tsx';
import { toPaletteGroups, type PaletteGroup, type PaletteItem } from './palette-items.ts';
import styles from './command-palette.module.css';

const NO_PRODUCTS = [] as const;

interface CommandPaletteProps {
  readonly close: () => void;
  readonly text: string;
  readonly setText: (text: string) => void;
}

export function CommandPalette({ close, text, setText }: CommandPaletteProps) {
  const navigator = useNavigator();
  const { queries } = useApi();
  const { data, error } = useQuery(queries.desk.products({}));
  const commands = useCommands();
  const products = data?.value.products ?? NO_PRODUCTS;
  const groups = useMemo(() => toPaletteGroups(products, commands), [products, commands]);
  const choose = ({ to }: PaletteItem): void => {
    close();
    if (typeof to === 'string') navigator.go(to);
    else to();
  };
  return (
    <Dialog title="Search products, screens and commands" close={close} bare>
      <Autocomplete.Root
        items={groups}
        itemToStringValue={({ label, keywords = '' }: PaletteItem) => `${label} ${keywords}`}
        value={text}
        onValueChange={setText}
        inline
        open
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input className={styles['input']} placeholder="Search products, screens and commands" aria-label="Search products, screens and commands" />
        <Autocomplete.Empty className={styles['empty']}>No matches for “{text}”.</Autocomplete.Empty>
        <Autocomplete.List className={styles['list']}>
          {(group: PaletteGroup) => <Group key={group.name} group={group} choose={choose} />}
        </Autocomplete.List>
      </Autocomplete.Root>
      {error !== null && <p className={styles['error']}>Products could not be loaded. {error.message}</p>}
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
