import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Shape } from '#model/charts/drawings/find-hit.ts';
import type { ChartHandle, ChartLayer } from '#page/kit/chart/chart-input.ts';
import { useColourKey } from '#page/kit/use-preferences.tsx';
import { type Marked, paint, type PaintedDrawing, type Painting, toAxisLabels } from './draw-layer.ts';

/** Shows a drawing that is not placed yet; null hides it. */
export type Preview = (drawing: PaintedDrawing | null) => void;

interface LayerInputs {
  readonly drawings: readonly PaintedDrawing[];
  readonly marked: Marked;
  /** Gets where the drawings lie. */
  readonly shapesRef: RefObject<readonly Shape[]>;
}

/** Paints drawings over the chart. */
export function useLayer(chart: ChartHandle, { drawings, marked, shapesRef }: LayerInputs): Preview {
  const colourKey = useColourKey();
  const layer = useRef<ChartLayer<Painting> | null>(null);
  const latest = useRef<Omit<Painting, 'colorOf'> | null>(null);
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
    const onPainted = (shapes: readonly Shape[]): void => {
      shapesRef.current = shapes;
    };
    latest.current = { drawings, marked, onPainted };
    layer.current?.show({ ...latest.current, colorOf });
    // Labels at the axis have the colours of the theme.
  }, [chart, drawings, marked, shapesRef, colorOf, colourKey]);
  return useMemo(
    () => (drawing) => {
      const now = latest.current;
      if (now === null) return;
      layer.current?.show({ ...now, drawings: drawing === null ? now.drawings : [...now.drawings, drawing], colorOf });
    },
    [colorOf],
  );
}
