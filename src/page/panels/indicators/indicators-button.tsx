import { useMemo, useState } from 'react';
import { type IndicatorKind, readIndicators } from '#model/charts/indicators/indicator-spec.ts';
import type { UrlParam } from '#model/format/url-param.ts';
import { useAltKeys } from '#page/kit/chart/chart-input.ts';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useKeys } from '#page/kit/use-keys.tsx';

const IndicatorsDialog = lazyOverlay(async () => (await import('./indicators-dialog.tsx')).IndicatorsDialog);

interface IndicatorsButtonProps {
  /** Where the address has the indicators, and the series that are not drawn. */
  readonly params: Readonly<Record<'indicators' | 'hidden', UrlParam<readonly string[]>>>;
  /** What the chart can show. */
  readonly offered: readonly IndicatorKind[];
}

/** Opens the indicators of a chart. */
export function IndicatorsButton({ params, offered }: IndicatorsButtonProps) {
  const [words, setWords] = useUrlState(params.indicators);
  const [hidden, setHidden] = useUrlState(params.hidden);
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
          {...{ words, offered }}
          setWords={(next) => {
            setWords(next);
            setHidden(hidden.filter((name) => !isRemoved(name, { words, next, offered })));
          }}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

interface Change extends Pick<IndicatorsButtonProps, 'offered'> {
  readonly words: readonly string[];
  readonly next: readonly string[];
}

/** Whether a hidden series is one that is gone. If it is added again, it is drawn. */
function isRemoved(name: string, { words, next, offered }: Change): boolean {
  const has = (all: readonly string[]): boolean =>
    readIndicators(all, offered).specs.some((spec) => spec.name === name);
  return has(words) && !has(next);
}

const KEYS: readonly KeyBinding[] = [{ keys: 'Alt+i', label: 'Indicators', group: 'Chart' }];
