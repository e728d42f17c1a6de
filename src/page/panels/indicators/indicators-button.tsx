import { useMemo, useState } from 'react';
import type { IndicatorKind } from '#model/charts/indicators/indicator-spec.ts';
import { useAltKeys } from '#page/kit/chart/chart-input.ts';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useKeys } from '#page/kit/use-keys.tsx';

const IndicatorsDialog = lazyOverlay(async () => (await import('./indicators-dialog.tsx')).IndicatorsDialog);

interface IndicatorsButtonProps {
  /** As in the address. */
  readonly words: readonly string[];
  readonly setWords: (words: readonly string[]) => void;
  /** What the chart can show. */
  readonly offered: readonly IndicatorKind[];
}

/** Opens the indicators of a chart. */
export function IndicatorsButton({ words, setWords, offered }: IndicatorsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = useMemo(
    () => ({
      KeyI: () => {
        setOpen(true);
      },
    }),
    [],
  );
  useAltKeys(open);
  useKeys(KEYS);
  useProvideCommands(() => [{ group: 'This screen', label: 'Indicators', remark: '', run: open.KeyI }]);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={open.KeyI}
        onPointerEnter={IndicatorsDialog.prefetch}
        onFocus={IndicatorsDialog.prefetch}
      >
        Indicators{words.length > 0 && ` (${String(words.length)})`}…
      </button>
      {isOpen && (
        <IndicatorsDialog
          {...{ words, setWords, offered }}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

const KEYS: readonly KeyBinding[] = [{ keys: 'Alt+i', label: 'Indicators', group: 'Chart' }];
