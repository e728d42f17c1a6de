import { toHeatCells } from '#domain/funding/heat-cells.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import type { Perpetual } from './compare-row.ts';
import { listHeatDays } from './heat-days.ts';
import { CELL, HEAD, paintHeat, readHeatPaints } from './heat-paint.ts';

const NAMES = 72;

interface WholeParts {
  readonly perpetuals: readonly Perpetual[];
  readonly boundaries: readonly number[];
  readonly side: FundingSide;
  /** The day of a moment, `2026-11-20`, in the zone that times are told in. */
  readonly dayOf: (epochMs: number) => string;
}

/** All of the heatmap on one canvas, for a file. */
export function paintWhole(host: HTMLElement, { perpetuals, boundaries, side, dayOf }: WholeParts): HTMLCanvasElement {
  const paints = readHeatPaints(host);
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = (NAMES + boundaries.length * CELL) * ratio;
  canvas.height = (HEAD + perpetuals.length * CELL) * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(ratio, ratio);
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = paints.ink;
  context.font = paints.font;
  for (const [row, { symbol }] of perpetuals.entries()) context.fillText(symbol, 8, HEAD + row * CELL + 13);
  context.translate(NAMES, 0);
  const rows = perpetuals.map(({ series }) => toHeatCells(series, boundaries));
  paintHeat(context, { rows, from: 0, to: boundaries.length, side }, paints);
  context.fillStyle = paints.faint;
  context.font = paints.font;
  for (const { column, name } of listHeatDays(boundaries, dayOf)) context.fillText(name, column * CELL + 1, HEAD - 5);
  return canvas;
}
