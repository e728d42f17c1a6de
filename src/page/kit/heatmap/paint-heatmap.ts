import type { HeatCell, HeatmapMark } from '#model/charts/heatmap.ts';

/** The height of a cell, in CSS pixels. */
export const CELL = 20;
export const HEAD = 18;
const GAP = 1;
/** The limits of a column's width. Narrower columns would be indistinguishable, so a wider heatmap scrolls. */
const LEAST = 2;
const MOST = 32;
/** From this width on, cells are separated, and marks fit inside them. */
const ROOMY = 10;

/** Returns the column width at which all columns fit into the available width, within limits. */
export function toCellWidth(room: number, columns: number): number {
  return Math.min(MOST, Math.max(LEAST, room / Math.max(1, columns)));
}
const STRENGTHS = [-4, -3, -2, -1, 0, 1, 2, 3, 4] as const;
/** The share of the full colour at each step, in percent. */
const SHARES = [0, 26, 48, 72, 100] as const;

/** Colours and font, from the page's design tokens. */
interface HeatmapColours {
  /** By strength; those of negative ones are blue. */
  readonly fills: ReadonlyMap<number, string>;
  readonly ink: string;
  readonly faint: string;
  readonly surface: string;
  readonly hatch: string;
  readonly font: string;
}

/** Computes the colours with a probe element, because a canvas cannot resolve `var()` or `color-mix()`. */
export function readHeatmapColours(host: HTMLElement): HeatmapColours {
  const probe = document.createElement('span');
  host.append(probe);
  const compute = (value: string): string => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const mix = (strength: number): string => {
    const share = SHARES[Math.abs(strength)] ?? 100;
    return compute(
      `color-mix(in srgb, var(--${strength > 0 ? 'longs' : 'shorts'}-pay) ${String(share)}%, var(--nobody-pays))`,
    );
  };
  const paints: HeatmapColours = {
    fills: new Map(STRENGTHS.map((strength) => [strength, mix(strength)])),
    ink: compute('var(--text)'),
    faint: compute('var(--muted)'),
    surface: compute('var(--background)'),
    hatch: compute('var(--faint)'),
    font: `10px ${getComputedStyle(probe).fontFamily}`,
  };
  probe.remove();
  return paints;
}

interface HeatmapPlan {
  readonly rows: readonly (readonly HeatCell[])[];
  readonly columns: number;
  /** The width of a column, in CSS pixels. */
  readonly width: number;
}

/** Paints the cells below the header of marks. `ratio` is the number of device pixels per CSS pixel. */
export function paintHeatmap(
  context: CanvasRenderingContext2D,
  { rows, columns, width }: HeatmapPlan,
  paints: HeatmapColours,
  ratio: number,
): void {
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, columns * width, HEAD + rows.length * CELL);
  // Edges lie on whole device pixels, so that neighbouring cells neither overlap nor blur.
  const edge = (column: number): number => Math.round(column * width * ratio) / ratio;
  const gap = width < ROOMY ? 0 : GAP;
  // Dots of narrow columns would run into a line.
  const isWithoutDot = (cell: HeatCell, column: number): boolean =>
    cell.kind === 'dotted' && column % Math.ceil(ROOMY / width) > 0;
  rows.forEach((cells, row) => {
    for (const [column, cell] of cells.entries()) {
      if (isWithoutDot(cell, column)) continue;
      paintCell(
        context,
        cell,
        { x: edge(column), y: HEAD + row * CELL, width: edge(column + 1) - edge(column) - gap, height: CELL - GAP },
        paints,
      );
    }
  });
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function paintCell(context: CanvasRenderingContext2D, cell: HeatCell, box: Box, paints: HeatmapColours): void {
  if (cell.kind !== 'filled') {
    paintGap(context, box, paints, cell.kind === 'dotted');
    return;
  }
  const { x, y, width, height } = box;
  context.fillStyle = paints.fills.get(cell.strength) ?? paints.surface;
  context.fillRect(x, y, width, height);
  context.fillStyle = paints.ink;
  // Colour must not be the only signal.
  const dash = Math.min(6, width);
  if (cell.isNegative) context.fillRect(x + (width - dash) / 2, y + height / 2, dash, 1);
  if (cell.clipped) paintCorner(context, box);
}

/** Marks a figure beyond the scale. */
function paintCorner(context: CanvasRenderingContext2D, { x, y, width }: Box): void {
  const right = x + width;
  context.beginPath();
  context.moveTo(right - Math.min(7, width), y);
  context.lineTo(right, y);
  context.lineTo(right, y + 7);
  context.fill();
}

/** Paints a cell without a figure. */
function paintGap(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  paints: HeatmapColours,
  isDot: boolean,
): void {
  if (isDot) {
    context.fillStyle = paints.hatch;
    context.fillRect(x + width / 2 - 1, y + height / 2 - 1, 2, 2);
    return;
  }
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = paints.hatch;
  context.beginPath();
  for (let offset = -height; offset < width; offset += 5) {
    context.moveTo(x + offset, y + height);
    context.lineTo(x + offset + height, y);
  }
  context.stroke();
  context.restore();
}

/** The width of the column of names, as in the style sheet. */
export const NAMES = 72;
/** The width for cells in a PNG, in CSS pixels. A wider picture would not fit a message or a slide. */
const ROOM = 1_800;

interface PictureInputs {
  readonly names: readonly string[];
  readonly rows: readonly (readonly HeatCell[])[];
  readonly columns: number;
  readonly marksOf: (width: number) => readonly HeatmapMark[];
}

/** Paints the whole heatmap on one canvas, for a PNG file. */
export function paintHeatmapPicture(
  host: HTMLElement,
  { names, rows, columns, marksOf }: PictureInputs,
): HTMLCanvasElement {
  const paints = readHeatmapColours(host);
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const width = toCellWidth(ROOM, columns);
  canvas.width = Math.round((NAMES + columns * width) * ratio);
  canvas.height = (HEAD + rows.length * CELL) * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(ratio, ratio);
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = paints.ink;
  context.font = paints.font;
  for (const [row, name] of names.entries()) context.fillText(name, 8, HEAD + row * CELL + 13);
  context.translate(NAMES, 0);
  paintHeatmap(context, { rows, columns, width }, paints, ratio);
  context.fillStyle = paints.faint;
  context.font = paints.font;
  for (const { column, name } of marksOf(width)) context.fillText(name, column * width + 1, HEAD - 5);
  return canvas;
}
