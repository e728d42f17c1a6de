import { type IChartApi, PriceScaleMode } from 'lightweight-charts';
import type { Pane, Scale } from '#model/charts/chart-data.ts';
import { type ViewWindow, wholeOf } from './view-window.ts';

/** Keeps price axes that the user has stretched, until the subject or scale changes. */
export interface ScaleKeeper {
  /** Applies the scale, and fits the axes if the subject or the scale has changed. */
  readonly follow: (panes: readonly Pick<Pane, 'logarithmic'>[], scale: Scale, subject: string) => void;
  /** Fits every axis to its values. */
  readonly fit: () => void;
}

export function createScaleKeeper(chart: Pick<IChartApi, 'panes' | 'priceScale'>): ScaleKeeper {
  let seen = '';
  const fit = (): void => {
    for (const pane of chart.panes()) pane.priceScale('right').applyOptions({ autoScale: true });
  };
  return {
    follow: (panes, scale, subject) => {
      panes.forEach(({ logarithmic }, index) => {
        chart.priceScale('right', index).applyOptions({
          mode: scale === 'log' && logarithmic === true ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
        });
      });
      const now = `${scale} ${subject}`;
      if (now !== seen) fit();
      seen = now;
    },
    fit,
  };
}

/** Shows the whole range, or the chosen part of it, while bars are added, until the user zooms or pans. */
export interface ViewKeeper {
  /**
   * Called with each update. A new subject is shown in its chosen part, or else whole; the same one is shown whole once
   * no part is chosen any more.
   */
  readonly follow: (subject: string, count: number, chosen: ViewWindow | null) => void;
  /** Sets the view chosen by keys. */
  readonly show: (view: ViewWindow, count: number) => void;
  /** Called when the user drags the view. */
  readonly release: () => void;
  /** Whether the user has set the view of this subject. */
  readonly isSet: () => boolean;
}

export function createViewKeeper(setView: (view: ViewWindow) => void): ViewKeeper {
  let seen = '';
  let kept: 'whole' | 'chosen' | 'moved' = 'whole';
  let isSet = false;
  let wasChosen = false;
  return {
    follow: (subject, count, chosen) => {
      if (subject !== seen || (wasChosen && chosen === null)) {
        kept = chosen === null ? 'whole' : 'chosen';
        isSet = false;
      }
      seen = subject;
      wasChosen = chosen !== null;
      if (kept !== 'moved') setView(kept === 'chosen' && chosen !== null ? chosen : wholeOf(count));
    },
    show: (view, count) => {
      const whole = wholeOf(count);
      kept = view.from === whole.from && view.to === whole.to ? 'whole' : 'moved';
      isSet = true;
      setView(view);
    },
    release: () => {
      kept = 'moved';
      isSet = true;
    },
    isSet: () => isSet,
  };
}
