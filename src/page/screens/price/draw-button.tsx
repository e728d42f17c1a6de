import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { DrawingKind } from '#model/charts/drawings/drawing.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { useAltKeys } from '#page/kit/chart/chart-input.ts';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { MenuButton } from '#page/kit/menu-button.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useKeys } from '#page/kit/use-keys.tsx';
import { createDrawnText, type DrawMode, useDrawMode } from './shared/draw-mode.ts';
import { PRICE_PARAMS } from './shared/price-params.ts';

/** Opens the menu of what can be drawn on the chart. */
export function DrawButton({ named }: { readonly named: NamedProduct }) {
  const stored = useMemo(() => createDrawnText(window, named.id), [named.id]);
  const count = useSyncExternalStore(stored.subscribe, stored.count);
  const [, setMode] = useDrawMode();
  const [, setView] = useUrlState(PRICE_PARAMS.view);
  const choose = useCallback(
    (mode: DrawMode) => {
      setView('chart');
      setMode(mode);
    },
    [setView, setMode],
  );
  const byKey = useMemo(
    () =>
      Object.fromEntries(
        TOOLS.map(([kind, code]) => [
          code,
          () => {
            choose(kind);
          },
        ]),
      ),
    [choose],
  );
  useAltKeys(byKey);
  useKeys(KEYS);
  return (
    <MenuButton
      label="Draw"
      items={[
        ...TOOLS.map(([kind, code, label]) => ({
          label,
          remark: `Alt+${code.slice(-1)}`,
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
    >
      Draw <span aria-hidden="true">▾</span>
    </MenuButton>
  );
}

const TOOLS: readonly (readonly [kind: DrawingKind, code: string, label: string])[] = [
  ['level', 'KeyH', 'Horizontal line'],
  ['trend', 'KeyT', 'Trend line'],
  ['note', 'KeyN', 'Note'],
  ['measure', 'KeyM', 'Measure'],
];

const KEYS: readonly KeyBinding[] = TOOLS.map(([, code, label]) => ({
  keys: `Alt+${code.slice(-1).toLowerCase()}`,
  label: `Draw: ${label.toLowerCase()}`,
  group: 'Chart',
}));
