import { useMemo } from 'react';
import { useMay } from '#page/client/react/use-api.tsx';
import type { LevelAction } from '#page/kit/chart/level-key.tsx';
import { useToast } from '#page/kit/toast.tsx';
import { ALERT_KEY } from './alert-at-level.ts';

/** Says why a chart proposes no rule. Undefined for those who may not make rules. */
export function useNoAlert(reason: string): LevelAction | undefined {
  const showToast = useToast();
  const mayMakeRules = useMay('operations');
  return useMemo(() => {
    const run = (): void => {
      showToast(reason);
    };
    return mayMakeRules ? { ...ALERT_KEY, run } : undefined;
  }, [showToast, mayMakeRules, reason]);
}
