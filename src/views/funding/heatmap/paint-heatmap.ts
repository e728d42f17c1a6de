import type { HeatmapCell } from '#domain/funding/heatmap-cells.ts';
import { isInverted, type FundingSide } from '#domain/funding/funding-side.ts';

export const CELL = 20;
export const HEAD = 18;
const GAP = 1;
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
    return compute(`color-mix(in srgb, var(--${strength > 0 ? 'longs' : 'shorts'}-pay) ${String(share)}%, var(--nobody-pays))`);
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

interface HeatmapColumns {
  readonly rows: readonly (readonly HeatmapCell[])[];
  /** Columns to paint; `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly side: FundingSide;
}

/** Paints some columns of all rows, below the header of days. The context's origin is the corner of the first column. */
export function paintHeatmap(context: CanvasRenderingContext2D, { rows, from, to, side }: HeatmapColumns, paints: HeatmapColours): void {
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, (to - from) * CELL, HEAD + rows.length * CELL);
  rows.forEach((cells, row) => {
    for (let column = from; column < to; column += 1) {
      const cell = cells[column];
      if (cell !== undefined) paintCell(context, cell, { x: (column - from) * CELL, y: HEAD + row * CELL }, paints, isInverted(side));
    }
  });
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

function paintCell(context: CanvasRenderingContext2D, cell: HeatmapCell, { x, y }: Corner, paints: HeatmapColours, turned: boolean): void {
  const size = CELL - GAP;
  if (cell.kind !== 'print') {
    paintGap(context, { x, y }, paints, cell.kind !== 'gap' && cell.kind !== 'fault');
    return;
  }
  context.fillStyle = paints.fills.get(cell.strength) ?? paints.surface;
  context.fillRect(x, y, size, size);
  context.fillStyle = paints.ink;
  // Not by colour alone: negative rates, as the chosen side sees them, carry a minus.
  const negative = turned ? cell.strength > 0 : cell.strength < 0;
  if (negative) context.fillRect(x + size / 2 - 3, y + size / 2, 6, 1);
  if (cell.clipped) paintCorner(context, { x: x + size, y });
}

/** Marks a rate off the scale. */
function paintCorner(context: CanvasRenderingContext2D, { x, y }: Corner): void {
  context.beginPath();
  context.moveTo(x - 7, y);
  context.lineTo(x, y);
  context.lineTo(x, y + 7);
  context.fill();
}

/** Missing rates are hatched; intervals not listed, read or settled yet show a dot. */
function paintGap(context: CanvasRenderingContext2D, { x, y }: Corner, paints: HeatmapColours, unknown: boolean): void {
  const size = CELL - GAP;
  if (unknown) {
    context.fillStyle = paints.hatch;
    context.fillRect(x + size / 2 - 1, y + size / 2 - 1, 2, 2);
    return;
  }
  context.save();
  context.beginPath();
  context.rect(x, y, size, size);
  context.clip();
  context.strokeStyle = paints.hatch;
  context.beginPath();
  for (let offset = -size; offset < size; offset += 5) {
    context.moveTo(x + offset, y + size);
    context.lineTo(x + offset + size, y);
  }
  context.stroke();
  context.restore();
}
