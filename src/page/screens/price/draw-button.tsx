import { useCallback, useMemo } from 'react';
import type { DrawingKind } from '#model/charts/drawings/drawing.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { usePopupButton } from '#page/kit/anchored-popover.tsx';
import { useAltKeys } from '#page/kit/chart/chart-input.ts';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useKeys } from '#page/kit/use-keys.tsx';
import { type DrawMode, useDrawMode } from './shared/draw-mode.ts';
import { PRICE_PARAMS } from './shared/price-params.ts';

const DrawMenu = lazyOverlay(async () => (await import('./drawings/load-drawings.ts')).DrawMenu);

/** Opens the menu of what can be drawn on the chart. */
export function DrawButton({ named }: { readonly named: NamedProduct | null }) {
  const { anchor, isOpen, setOpen, button } = usePopupButton();
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
  useProvideCommands(() =>
    TOOLS.map(([kind, , label]) => ({
      group: 'This screen',
      label,
      remark: 'Draw',
      run: () => {
        choose(kind);
      },
    })),
  );
  return (
    <>
      <button {...button} aria-haspopup="menu" onPointerEnter={DrawMenu.prefetch} onFocus={DrawMenu.prefetch}>
        Draw <span aria-hidden="true">▾</span>
      </button>
      {isOpen && anchor !== null && named !== null && (
        <DrawMenu
          {...{ anchor, named, choose }}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

const TOOLS: readonly (readonly [kind: DrawingKind, code: string, label: string])[] = [
  ['level', 'KeyH', 'Draw a horizontal line'],
  ['trend', 'KeyT', 'Draw a trend line'],
  ['note', 'KeyN', 'Write a note'],
  ['measure', 'KeyM', 'Measure'],
];

const group = 'Chart';
const KEYS: readonly KeyBinding[] = TOOLS.map(([, code, label]) => ({
  keys: `Alt+${code.slice(-1).toLowerCase()}`,
  label,
  group,
}));
