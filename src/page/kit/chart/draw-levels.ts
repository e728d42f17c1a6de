import { LineStyle, type ISeriesApi, type Time } from 'lightweight-charts';
import type { ChartTime, Pane } from '#model/charts/picture.ts';
import type { Overlay } from './overlay.ts';
import type { Paints } from './read-inks.ts';

/** The invisible series that carries a pane’s levels, and the overlay above it. */
export interface Carrier {
  readonly series: ISeriesApi<'Line'>;
  readonly overlay: Overlay;
}

/** An invisible series of one point carries the levels, so that they stay visible when other series are hidden. */
export function drawLevels(
  { series: carrier, overlay }: Carrier,
  pane: Pane,
  times: readonly ChartTime[],
  paints: Paints,
): void {
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
  // At the last time: the library autoscales only by series with a point at or after the left edge.
  const last = times.at(-1);
  carrier.setData(last === undefined ? [] : [{ time: last as Time, value: least }]);
  for (const line of carrier.priceLines()) carrier.removePriceLine(line);
  for (const { name, value, ink } of levels) {
    carrier.createPriceLine({
      price: value,
      color: inks[ink],
      lineWidth: 1,
      lineStyle: LineStyle.LargeDashed,
      axisLabelVisible: false,
      title: name,
    });
  }
}
