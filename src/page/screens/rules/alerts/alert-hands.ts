import { useEffect, useMemo, useRef, useState } from 'react';
import type { Alert } from '#contract/desk/alerts.ts';
import { keyOfAlert } from '#model/rules/alert-tabs.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import { toggleCells } from '#page/kit/grid/cell-widgets.ts';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { createListeners } from '#page/kit/listeners.ts';
import { useKeys } from '#page/kit/use-keys.tsx';

/** How a person works through a list of alerts: the ticked ones, and the keys. */

export interface Ticks {
  readonly has: (alert: Alert) => boolean;
  /** Ticks alerts; if all of them are ticked already, unticks them. */
  readonly toggle: (alerts: readonly Alert[]) => void;
  readonly clear: () => void;
  readonly cells: Pick<GridColumn<Alert>, 'draw' | 'watch' | 'text'>;
}

/** Holds the ticked alerts by key, so that they stay ticked through updates. */
export function useTicks(): Ticks {
  const [, render] = useState(0);
  return useState(() => {
    const keys = new Set<string>();
    const { notify, subscribe } = createListeners();
    const change = (next: () => void): void => {
      next();
      notify();
      render((count) => count + 1);
    };
    const has = (alert: Alert): boolean => keys.has(keyOfAlert(alert));
    const toggle = (alerts: readonly Alert[]): void => {
      const isOn = alerts.every(has);
      change(() => {
        for (const key of alerts.map(keyOfAlert)) {
          if (isOn) keys.delete(key);
          else keys.add(key);
        }
      });
    };
    const cells = {
      text: (alert: Alert) => (has(alert) ? '☑' : '☐'),
      ...toggleCells<Alert>({
        stateAttribute: 'aria-checked',
        isOn: has,
        label: ({ rule_name: name, group: subject }) => `Tick ${name} ${subject}`.trim(),
        toggle: (alert) => {
          toggle([alert]);
        },
        watch: subscribe,
      }),
    };
    return {
      has,
      toggle,
      cells,
      clear: () => {
        change(() => {
          keys.clear();
        });
      },
    };
  })[0];
}

/** What the keys `a` and `s` open a form for. */
export type AlertAction = 'acknowledge' | 'silence';

interface AlertKeys {
  readonly move: (lines: number) => void;
  readonly act: (which: AlertAction) => void;
  readonly tick: () => void;
}

/** Binds the keys of the list. The grid handles arrows, Space and Enter itself. */
export function useAlertKeys(acts: AlertKeys): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  const keys = useMemo((): readonly KeyBinding[] => {
    const bind = (key: string, label: string, run: (now: AlertKeys) => void): KeyBinding => ({
      ...{ keys: key, label, group: 'Alerts' },
      run: () => {
        run(latest.current);
      },
    });
    return [
      bind('j', 'Next alert', ({ move }) => {
        move(1);
      }),
      bind('k', 'Previous alert', ({ move }) => {
        move(-1);
      }),
      bind('x', 'Tick the alert, or all of the rule', ({ tick }) => {
        tick();
      }),
      bind('a', 'Acknowledge the ticked alerts, or the active one', ({ act }) => {
        act('acknowledge');
      }),
      bind('s', 'Silence the ticked alerts, or the active one', ({ act }) => {
        act('silence');
      }),
    ];
  }, []);
  useKeys(keys);
}
