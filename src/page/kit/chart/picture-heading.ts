import type { LegendEntry, PictureText } from './picture-text.ts';

export interface Lettering {
  readonly color: string;
  readonly fontFamily: string;
}

/** Draws one line of the heading with its baseline at `y`. */
type DrawLine = (context: CanvasRenderingContext2D, y: number) => void;

const SWATCH = 16;
const SWATCH_THICK = 3;
const SPACE = 6;
const GAP = 16;

/** Wraps the heading into lines that fit a width. */
export function layOutHeading(
  context: CanvasRenderingContext2D,
  { title, origin, legend = [], summary }: PictureText,
  look: Lettering,
  width: number,
): readonly DrawLine[] {
  const [bold, plain] = [`600 13px ${look.fontFamily}`, `11px ${look.fontFamily}`];
  const measureIn =
    (font: string) =>
    (text: string): number => {
      context.font = font;
      return context.measureText(text).width;
    };
  const write = (text: string, font: string): readonly DrawLine[] =>
    toRows(text.split(' '), width, (words) => measureIn(font)(words.join(' '))).map((words) => (target, y) => {
      target.font = font;
      target.fillStyle = look.color;
      target.fillText(words.join(' '), 0, y);
    });
  const widthOf = ({ name }: LegendEntry): number => SWATCH + SPACE + measureIn(plain)(name);
  const widthOfAll = (entries: readonly LegendEntry[]): number =>
    entries.reduce((sum, entry) => sum + GAP + widthOf(entry), -GAP);
  const named = toRows(legend, width, widthOfAll).map((entries): DrawLine => (target, y) => {
    target.font = plain;
    let x = 0;
    for (const entry of entries) {
      drawEntry(target, entry, { x, y, color: look.color });
      x += widthOf(entry) + GAP;
    }
  });
  return [
    ...write(title, bold),
    ...(origin === undefined ? [] : write(origin, plain)),
    ...named,
    ...write(summary, plain),
  ];
}

/** Fills rows with as many items as fit; an item that is too wide gets a row of its own. */
function toRows<Item>(
  items: readonly Item[],
  width: number,
  widthOf: (row: readonly Item[]) => number,
): readonly (readonly Item[])[] {
  const rows: Item[][] = [];
  for (const item of items) {
    const row = rows.at(-1);
    if (row !== undefined && widthOf([...row, item]) <= width) row.push(item);
    else rows.push([item]);
  }
  return rows;
}

const DASHES = { solid: [], dashed: [6, 4], dotted: [3, 3] } as const;

function drawEntry(
  context: CanvasRenderingContext2D,
  { name, color, stroke = 'solid' }: LegendEntry,
  at: { readonly x: number; readonly y: number; readonly color: string },
): void {
  context.strokeStyle = color;
  context.lineWidth = SWATCH_THICK;
  context.setLineDash(DASHES[stroke]);
  context.beginPath();
  context.moveTo(at.x, at.y - SWATCH_THICK);
  context.lineTo(at.x + SWATCH, at.y - SWATCH_THICK);
  context.stroke();
  context.fillStyle = at.color;
  context.fillText(name, at.x + SWATCH + SPACE, at.y);
}
