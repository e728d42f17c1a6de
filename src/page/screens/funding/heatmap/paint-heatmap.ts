import type { HeatmapCell } from '#model/funding/heatmap-cells.ts';
import { type FundingSide, isInverted } from '#model/funding/funding-rate.ts';

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
  /** By strength: negative if shorts pay. */
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
  readonly rows: readonly (readonly HeatmapCell[])[];
  readonly columns: number;
  readonly side: FundingSide;
  /** The width of a column, in CSS pixels. */
  readonly width: number;
}

/** Paints the cells below the header of days. `ratio` is the number of device pixels per CSS pixel. */
export function paintHeatmap(
  context: CanvasRenderingContext2D,
  { rows, columns, side, width }: HeatmapPlan,
  paints: HeatmapColours,
  ratio: number,
): void {
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, columns * width, HEAD + rows.length * CELL);
  // Edges lie on whole device pixels, so that neighbouring cells neither overlap nor blur.
  const edge = (column: number): number => Math.round(column * width * ratio) / ratio;
  const gap = width < ROOMY ? 0 : GAP;
  rows.forEach((cells, row) => {
    for (const [column, cell] of cells.entries())
      paintCell(
        context,
        cell,
        { x: edge(column), y: HEAD + row * CELL, width: edge(column + 1) - edge(column) - gap, height: CELL - GAP },
        paints,
        isInverted(side),
      );
  });
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function paintCell(
  context: CanvasRenderingContext2D,
  cell: HeatmapCell,
  box: Box,
  paints: HeatmapColours,
  turned: boolean,
): void {
  if (cell.kind !== 'print') {
    paintGap(context, box, paints, cell.kind !== 'gap' && cell.kind !== 'fault');
    return;
  }
  const { x, y, width, height } = box;
  context.fillStyle = paints.fills.get(cell.strength) ?? paints.surface;
  context.fillRect(x, y, width, height);
  context.fillStyle = paints.ink;
  // Colour must not be the only signal, so rates that are negative for the chosen side carry a minus sign.
  const negative = turned ? cell.strength > 0 : cell.strength < 0;
  const dash = Math.min(6, width);
  if (negative) context.fillRect(x + (width - dash) / 2, y + height / 2, dash, 1);
  if (cell.clipped) paintCorner(context, box);
}

/** Marks a rate beyond the scale. */
function paintCorner(context: CanvasRenderingContext2D, { x, y, width }: Box): void {
  const right = x + width;
  context.beginPath();
  context.moveTo(right - Math.min(7, width), y);
  context.lineTo(right, y);
  context.lineTo(right, y + 7);
  context.fill();
}

/** Paints cells without a rate: missing rates are hatched; intervals not listed, not read or not settled get a dot. */
function paintGap(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  paints: HeatmapColours,
  unknown: boolean,
): void {
  if (unknown) {
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
