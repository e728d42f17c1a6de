import { useMemo } from 'react';
import { DRAWING_KINDS, KIND_NAMES } from '#model/charts/drawings/drawing.ts';
import { readDrawings } from '#model/charts/drawings/drawings-file.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { Menu } from '#page/kit/menu.tsx';
import { createDrawnText, type DrawMode } from '../shared/draw-mode.ts';

interface DrawMenuProps {
  readonly anchor: HTMLElement;
  readonly named: NamedProduct;
  readonly choose: (mode: DrawMode) => void;
  readonly close: () => void;
}

const KEYS = { level: 'Alt+H', trend: 'Alt+T', note: 'Alt+N', measure: 'Alt+M' } as const;

/** What can be drawn, and the list of what is drawn. */
export function DrawMenu({ anchor, named, choose, close }: DrawMenuProps) {
  const count = useMemo(() => {
    const read = readDrawings(createDrawnText(window, named.id).read(), named.name);
    return 'drawings' in read ? read.drawings.length : 0;
  }, [named]);
  return (
    <Menu
      label="Draw"
      anchor={anchor}
      close={close}
      items={[
        ...DRAWING_KINDS.map((kind) => ({
          label: KIND_NAMES[kind],
          remark: KEYS[kind],
          run: () => {
            choose(kind);
          },
        })),
        {
          label: `Drawings (${String(count)})…`,
          run: () => {
            choose('list');
          },
        },
      ]}
    />
  );
}
