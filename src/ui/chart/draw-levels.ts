import { LineStyle, type ISeriesApi, type Time } from 'lightweight-charts';
import type { ChartTime, Pane } from './picture.ts';
import type { Overlay } from './overlay.ts';
import type { Paints } from './read-inks.ts';

/** What carries the levels of a pane, and what is drawn over it. */
export interface Carrier {
  readonly series: ISeriesApi<'Line'>;
  readonly overlay: Overlay;
}

/** A series of one point that is not seen: whatever else is hidden, it carries the levels and keeps them in sight. */
export function drawLevels({ series: carrier, overlay }: Carrier, pane: Pane, times: readonly ChartTime[], paints: Paints): void {
  const { levels = [], outlined = [], hatched = [], format } = pane;
  const { inks } = paints;
  const values = [...levels, ...outlined].map(({ value }) => value);
  overlay.show({ hatched, outlined, hatch: inks.faint, outline: inks.accent, background: paints.background });
  const [least, most] = [Math.min(...values), Math.max(...values)];
  carrier.applyOptions({
    color: 'rgba(0, 0, 0, 0)',
    priceFormat: { type: 'custom', formatter: format, minMove: 1e-10 },
    lastValueVisible: false,
    priceLineVisible: false,
    crosshairMarkerVisible: false,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: least, maxValue: most } }),
  });
  // At the end: the library asks only series that have a point at or after the left edge.
  const last = times.at(-1);
  carrier.setData(last === undefined ? [] : [{ time: last as Time, value: least }]);
  for (const line of carrier.priceLines()) carrier.removePriceLine(line);
  for (const { name, value, ink } of levels) {
    carrier.createPriceLine({ price: value, color: inks[ink], lineWidth: 1, lineStyle: LineStyle.LargeDashed, axisLabelVisible: false, title: name });
  }
}
