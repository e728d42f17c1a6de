import { useMemo, useState } from 'react';
import type { KeptValue } from '../kept-value.ts';
import { createLayoutStore, type ColumnLayout } from './layout-store.ts';

interface KeptLayout {
  readonly store: KeptValue<ColumnLayout>;
  /** As it was when it was last followed. */
  readonly layout: ColumnLayout;
  readonly follow: () => void;
}

/** A grid's columns as this browser keeps them under a name. Another name, such as that of a narrow window, is another layout. */
export function useKeptLayout(name: string, columns: readonly string[]): KeptLayout {
  const ids = columns.join();
  const store = useMemo(() => createLayoutStore(window, name, ids.split(',')), [name, ids]);
  const kept = useMemo(() => store.read(), [store]);
  const [changed, setChanged] = useState<Pick<KeptLayout, 'store' | 'layout'> | null>(null);
  const follow = (): void => {
    setChanged({ store, layout: store.read() });
  };
  return { store, layout: changed?.store === store ? changed.layout : kept, follow };
}
