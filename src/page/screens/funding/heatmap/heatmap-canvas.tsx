import { memo, useEffect, useRef } from 'react';
import type { FundingSide } from '#model/funding/funding-side.ts';
import type { HeatmapCell } from '#model/funding/heatmap-cells.ts';
import { CELL, HEAD, paintHeatmap, readHeatmapColours } from './paint-heatmap.ts';
import styles from './heatmap.module.css';

interface HeatmapCanvasProps {
  readonly rows: readonly (readonly HeatmapCell[])[];
  readonly columns: number;
  readonly side: FundingSide;
  /** Of a column, in CSS pixels. */
  readonly width: number;
  /** Changes whenever the colours change. */
  readonly look: string;
}

export const HeatmapCanvas = memo(function HeatmapCanvas({ rows, columns, side, width, look }: HeatmapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = { inlineSize: columns * width, blockSize: HEAD + rows.length * CELL };
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (canvas.current === null || !context) return;
    const ratio = devicePixelRatio;
    canvas.current.width = Math.round(columns * width * ratio);
    canvas.current.height = Math.round((HEAD + rows.length * CELL) * ratio);
    context.scale(ratio, ratio);
    paintHeatmap(context, { rows, columns, side, width }, readHeatmapColours(document.body), ratio);
  }, [rows, columns, side, width, look]);
  return <canvas ref={canvas} className={styles['canvas']} style={size} aria-hidden="true" />;
});
