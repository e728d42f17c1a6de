import type { HeatCell } from '#domain/funding/heat-cells.ts';
import { isTurned, type FundingSide } from '#domain/funding/my-side.ts';

export const CELL = 20;
export const HEAD = 18;
const GAP = 1;
const STRENGTHS = [-4, -3, -2, -1, 0, 1, 2, 3, 4] as const;
/** How much of the full colour each step has. */
const SHARES = [0, 26, 48, 72, 100] as const;

/** What the heatmap is painted with, read from the page's tokens. */
interface HeatPaints {
  /** By strength, from shorts pay most to longs pay most. */
  readonly fills: ReadonlyMap<number, string>;
  readonly ink: string;
  readonly faint: string;
  readonly surface: string;
  readonly hatch: string;
  readonly font: string;
}

/** The style sheet mixes the colours: the canvas takes what it computes. */
export function readHeatPaints(host: HTMLElement): HeatPaints {
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
  const paints: HeatPaints = {
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

interface HeatPart {
  readonly rows: readonly (readonly HeatCell[])[];
  /** Columns to paint; `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly side: FundingSide;
}

/** Paints some columns of all rows, below the room for the days. The context's origin is the first column's corner. */
export function paintHeat(context: CanvasRenderingContext2D, { rows, from, to, side }: HeatPart, paints: HeatPaints): void {
  context.fillStyle = paints.surface;
  context.fillRect(0, 0, (to - from) * CELL, HEAD + rows.length * CELL);
  rows.forEach((cells, row) => {
    for (let column = from; column < to; column += 1) {
      const cell = cells[column];
      if (cell !== undefined) paintCell(context, cell, { x: (column - from) * CELL, y: HEAD + row * CELL }, paints, isTurned(side));
    }
  });
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

function paintCell(context: CanvasRenderingContext2D, cell: HeatCell, { x, y }: Corner, paints: HeatPaints, turned: boolean): void {
  const size = CELL - GAP;
  if (cell.kind !== 'print') {
    paintGap(context, { x, y }, paints, cell.kind !== 'hole' && cell.kind !== 'fault');
    return;
  }
  context.fillStyle = paints.fills.get(cell.strength) ?? paints.surface;
  context.fillRect(x, y, size, size);
  context.fillStyle = paints.ink;
  // Colour never says it alone: what shorts pay has a minus, or for one who is long what they receive has none.
  const negative = turned ? cell.strength > 0 : cell.strength < 0;
  if (negative) context.fillRect(x + size / 2 - 3, y + size / 2, 6, 1);
  if (cell.clipped) paintCorner(context, { x: x + size, y });
}

/** What goes past the scale has its corner marked. */
function paintCorner(context: CanvasRenderingContext2D, { x, y }: Corner): void {
  context.beginPath();
  context.moveTo(x - 7, y);
  context.lineTo(x, y);
  context.lineTo(x, y + 7);
  context.fill();
}

/** Missing is hatched; what was not listed, read or settled yet is left empty with a dot. */
function paintGap(context: CanvasRenderingContext2D, { x, y }: Corner, paints: HeatPaints, unknown: boolean): void {
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
