import { toHeatmapCells } from '#model/funding/heatmap-cells.ts';
import type { FundingSide } from '#model/funding/funding-side.ts';
import type { PerpetualSeries } from '#model/tables/funding/perpetual-series.ts';
import { keepReadable, listHeatmapDays } from '#model/tables/funding/heatmap-days.ts';
import { CELL, HEAD, paintHeatmap, readHeatmapColours, toCellWidth } from './paint-heatmap.ts';

const NAMES = 72;
/** For the cells, in CSS pixels: a wider picture fits no message or slide. */
const ROOM = 1_800;

interface HeatmapPictureParts {
  readonly perpetuals: readonly PerpetualSeries[];
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  /** The day, `2026-11-20`, in the zone of the user. */
  readonly dayOf: (epochMs: number) => string;
}

/** The whole heatmap on one canvas, for a PNG file. */
export function paintHeatmapPicture(
  host: HTMLElement,
  { perpetuals, fundingTimes, side, dayOf }: HeatmapPictureParts,
): HTMLCanvasElement {
  const paints = readHeatmapColours(host);
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const columns = fundingTimes.length;
  const width = toCellWidth(ROOM, columns);
  canvas.width = Math.round((NAMES + columns * width) * ratio);
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
  const rows = perpetuals.map(({ series }) => toHeatmapCells(series, fundingTimes));
  paintHeatmap(context, { rows, columns, side, width }, paints, ratio);
  context.fillStyle = paints.faint;
  context.font = paints.font;
  for (const { column, name } of keepReadable(listHeatmapDays(fundingTimes, dayOf), { columns, width }))
    context.fillText(name, column * width + 1, HEAD - 5);
  return canvas;
}
