import { memo, useEffect, useRef } from 'react';
import type { FundingSide } from '#domain/funding/my-side.ts';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatDayIn } from '#ui/time/format-time.ts';
import type { HeatCell } from '#domain/funding/heat-cells.ts';
import { CELL, HEAD, paintHeat, readHeatPaints } from './heat-paint.ts';
import styles from './heatmap.module.css';

interface HeatCanvasProps {
  readonly rows: readonly (readonly HeatCell[])[];
  readonly boundaries: readonly number[];
  readonly side: FundingSide;
  /** Changes whenever colours have to be read again. */
  readonly look: string;
}

/** Columns of one canvas: a wider one would outgrow what graphics hardware holds. */
const CHUNK = 90;

/** The cells, painted once: to scroll them costs nothing. */
export const HeatCanvas = memo(function HeatCanvas({ rows, boundaries, side, look }: HeatCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [zone] = useZone();
  const starts = Array.from({ length: Math.ceil(boundaries.length / CHUNK) }, (_, index) => index * CHUNK);
  useEffect(() => {
    if (host.current === null) return;
    const paints = readHeatPaints(host.current);
    const dayOf = (at: number): string => formatDayIn(at, zone);
    for (const [index, canvas] of [...host.current.querySelectorAll('canvas')].entries()) {
      const from = index * CHUNK;
      const to = Math.min(boundaries.length, from + CHUNK);
      const ratio = devicePixelRatio;
      canvas.width = (to - from) * CELL * ratio;
      canvas.height = (HEAD + rows.length * CELL) * ratio;
      const context = canvas.getContext('2d');
      if (context === null) continue;
      context.scale(ratio, ratio);
      paintHeat(context, { rows, boundaries, from, to, side, dayOf }, paints);
    }
  }, [rows, boundaries, side, look, zone]);
  return (
    <div className={styles['canvases']} ref={host} aria-hidden="true">
      {starts.map((from) => (
        <canvas key={from} style={{ inlineSize: Math.min(CHUNK, boundaries.length - from) * CELL, blockSize: HEAD + rows.length * CELL }} />
      ))}
    </div>
  );
});
