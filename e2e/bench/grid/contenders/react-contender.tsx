import { useState, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import type { WireOrder } from '../../lib/wire-orders.ts';
import type { Contender, Direction } from '../contender.ts';

/** What a screen holds and passes to its grid. */
export interface View {
  readonly orders: readonly WireOrder[];
  readonly direction: Direction;
  readonly symbol: string | null;
  readonly text: string;
}

/** Creates a contender from a component: changes reach it as state of the component above. */
export function createReactContender(
  Grid: ComponentType<View>,
  { topId, scroller }: Pick<Contender, 'topId' | 'scroller'>,
): Contender {
  let change: (part: Partial<View>) => void = () => {
    throw new Error('the grid is not mounted');
  };
  function Screen({ orders }: { readonly orders: readonly WireOrder[] }) {
    const [view, setView] = useState<View>({ orders, direction: null, symbol: null, text: '' });
    change = (part) => {
      setView((before) => ({ ...before, ...part }));
    };
    return <Grid {...view} />;
  }
  return {
    topId,
    scroller,
    mount: (root, orders) => {
      createRoot(root).render(<Screen orders={orders} />);
    },
    update: (orders) => {
      change({ orders });
    },
    sortByPrice: (direction) => {
      change({ direction });
    },
    filterSymbol: (symbol) => {
      change({ symbol });
    },
    search: (text) => {
      change({ text });
    },
  };
}
