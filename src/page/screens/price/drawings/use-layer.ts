import { useEffect, useMemo, useRef } from 'react';
import type { ChartHandle, ChartLayer } from '#page/kit/chart/chart-input.ts';
import { useColourKey } from '#page/kit/use-preferences.tsx';
import { paint, type PaintedDrawing, type Painting, toAxisLabels } from './draw-layer.ts';

/** Shows a drawing that is not placed yet; null hides it. */
export type Preview = (drawing: PaintedDrawing | null) => void;

/** Paints drawings over the chart. */
export function useLayer(chart: ChartHandle, drawings: readonly PaintedDrawing[]): Preview {
  const colourKey = useColourKey();
  const layer = useRef<ChartLayer<Painting> | null>(null);
  const latest = useRef(drawings);
  const { colorOf } = chart;
  useEffect(() => {
    const added = chart.addLayer(paint, toAxisLabels);
    layer.current = added;
    return () => {
      layer.current = null;
      added.remove();
    };
  }, [chart]);
  useEffect(() => {
    latest.current = drawings;
    layer.current?.show({ drawings, colorOf });
    // Labels at the axis have the colours of the theme.
  }, [chart, drawings, colorOf, colourKey]);
  return useMemo(
    () => (drawing) => {
      layer.current?.show({ drawings: drawing === null ? latest.current : [...latest.current, drawing], colorOf });
    },
    [colorOf],
  );
}
