import type { HeatmapCell } from '#model/funding/heatmap-cells.ts';
import { isInverted, type FundingSide } from '#model/funding/funding-side.ts';

/** Height of a cell. */
export const CELL = 20;
export const HEAD = 18;
const GAP = 1;
/** Widths of a column. Narrower ones could not be told apart, so that a wider heatmap scrolls. */
const LEAST = 2;
const MOST = 32;
/** From this width on cells are separate, and marks have room within them. */
const ROOMY = 10;

/** The width of a column that lets all of them fit into the room, within limits. */
export function toCellWidth(room: number, columns: number): number {
  return Math.min(MOST, Math.max(LEAST, room / Math.max(1, columns)));
}
const STRENGTHS = [-4, -3, -2, -1, 0, 1, 2, 3, 4] as const;
/** Share of the full colour at each step. */
const SHARES = [0, 26, 48, 72, 100] as const;

/** Colours and font, from the page's design tokens. */
interface HeatmapColours {
  /** By strength: negative where shorts pay. */
  readonly fills: ReadonlyMap<number, string>;
  readonly ink: string;
  readonly faint: string;
  readonly surface: string;
  readonly hatch: string;
  readonly font: string;
}

/** A canvas cannot resolve `var()` or `color-mix()`, so a probe element computes the colours. */
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
  /** Of a column, in CSS pixels. */
  readonly width: number;
}

/** Paints the cells below the header of days, on a canvas with so many device pixels to a CSS pixel. */
export function paintHeatmap(
  context: CanvasRenderingContext2D,
  { rows, columns, side, width }: HeatmapPlan,
  paints: HeatmapColours,
  ratio: number,
): void {
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, columns * width, HEAD + rows.length * CELL);
  // On whole device pixels, so that neighbours neither overlap nor blur.
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
  // Not by colour alone: negative rates, as the chosen side sees them, carry a minus.
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

/** Missing rates are hatched; intervals not listed, read or settled yet show a dot. */
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
