import { memo, useEffect, useRef } from 'react';
import type { FundingSide } from '#domain/funding/funding-side.ts';
import type { HeatmapCell } from '#domain/funding/heatmap-cells.ts';
import { CELL, HEAD, paintHeatmap, readHeatmapColours } from './paint-heatmap.ts';
import styles from './heatmap.module.css';

interface HeatmapCanvasProps {
  readonly rows: readonly (readonly HeatmapCell[])[];
  readonly columns: number;
  readonly side: FundingSide;
  /** Changes whenever the colours change. */
  readonly look: string;
}

/** Columns of one canvas: a wider one would exceed the texture size of graphics hardware. */
const CHUNK = 90;

export const HeatmapCanvas = memo(function HeatmapCanvas({ rows, columns, side, look }: HeatmapCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const starts = Array.from({ length: Math.ceil(columns / CHUNK) }, (_, index) => index * CHUNK);
  useEffect(() => {
    if (host.current === null) return;
    const paints = readHeatmapColours(host.current);
    for (const [index, canvas] of [...host.current.querySelectorAll('canvas')].entries()) {
      const from = index * CHUNK;
      const to = Math.min(columns, from + CHUNK);
      const ratio = devicePixelRatio;
      canvas.width = (to - from) * CELL * ratio;
      canvas.height = (HEAD + rows.length * CELL) * ratio;
      const context = canvas.getContext('2d');
      if (context === null) continue;
      context.scale(ratio, ratio);
      paintHeatmap(context, { rows, from, to, side }, paints);
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
