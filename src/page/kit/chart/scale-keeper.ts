import { PriceScaleMode, type IChartApi } from 'lightweight-charts';
import type { Pane, Scale } from '#model/charts/picture.ts';

/** Keeps price axes that the user has stretched, until the subject or scale changes. */
export interface ScaleKeeper {
  /** Applies the scale; fits the axes when the subject or the scale has changed. */
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
