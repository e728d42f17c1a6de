import { PriceScaleMode, type IChartApi } from 'lightweight-charts';
import type { Pane, Scale } from './picture.ts';

/** Keeps the price axes as the reader has stretched them, until they are of something else. */
export interface ScaleKeeper {
  /** The picture of this subject has these panes by now: one of another subject, or on another scale, is fitted to its values. */
  readonly follow: (panes: readonly Pick<Pane, 'logarithmic'>[], scale: Scale, subject: string) => void;
  /** Fits every axis to its values again. */
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
        chart.priceScale('right', index).applyOptions({ mode: scale === 'log' && logarithmic === true ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal });
      });
      const now = `${scale} ${subject}`;
      if (now !== seen) fit();
      seen = now;
    },
    fit,
  };
}
