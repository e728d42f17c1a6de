import { memo, useEffect, useRef } from 'react';
import type { FundingSide } from '#domain/funding/my-side.ts';
import type { HeatCell } from '#domain/funding/heat-cells.ts';
import { CELL, HEAD, paintHeat, readHeatPaints } from './heat-paint.ts';
import styles from './heatmap.module.css';

interface HeatCanvasProps {
  readonly rows: readonly (readonly HeatCell[])[];
  readonly columns: number;
  readonly side: FundingSide;
  /** Changes whenever colours have to be read again. */
  readonly look: string;
}

/** Columns of one canvas: a wider one would outgrow what graphics hardware holds. */
const CHUNK = 90;

/** The cells, painted once: to scroll them costs nothing. */
export const HeatCanvas = memo(function HeatCanvas({ rows, columns, side, look }: HeatCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const starts = Array.from({ length: Math.ceil(columns / CHUNK) }, (_, index) => index * CHUNK);
  useEffect(() => {
    if (host.current === null) return;
    const paints = readHeatPaints(host.current);
    for (const [index, canvas] of [...host.current.querySelectorAll('canvas')].entries()) {
      const from = index * CHUNK;
      const to = Math.min(columns, from + CHUNK);
      const ratio = devicePixelRatio;
      canvas.width = (to - from) * CELL * ratio;
      canvas.height = (HEAD + rows.length * CELL) * ratio;
      const context = canvas.getContext('2d');
      if (context === null) continue;
      context.scale(ratio, ratio);
      paintHeat(context, { rows, from, to, side }, paints);
    }
  }, [rows, columns, side, look]);
  return (
    <div className={styles['canvases']} ref={host} aria-hidden="true">
      {starts.map((from) => (
        <canvas key={from} style={{ inlineSize: Math.min(CHUNK, columns - from) * CELL, blockSize: HEAD + rows.length * CELL }} />
      ))}
    </div>
  );
});
