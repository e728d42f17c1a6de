import { formatDay } from '#model/format/format-time.ts';
import type { ChartData, ChartTime, Ink, Pane, Readout } from '#model/charts/chart-data.ts';
import type { ViewWindow } from './view-window.ts';
import { toEntries } from './legend-text.ts';
import { download } from '../download.ts';

/** The source of a chart’s data. */
export interface PictureOrigin {
  /** Null if unknown. */
  readonly source: string | null;
  /** Time of the reading, in epoch milliseconds. */
  readonly readAt: number;
}

type Ends = readonly [first: ChartTime, last: ChartTime];

/** Returns the times of the first and the last bar in view; null without bars. */
export function findEnds(view: ViewWindow | null, times: readonly ChartTime[]): Ends | null {
  const last = times.length - 1;
  const [from, to] =
    view === null ? [0, last] : [Math.max(0, Math.ceil(view.from)), Math.min(last, Math.floor(view.to))];
  const [start, end] = [times[from], times[to]];
  return start === undefined || end === undefined ? null : [start, end];
}

/**
 * Describes the origin, for an image that leaves its page:
 * `sandbox · 26 May 2026 to 25 Nov 2026 · read 2026-11-26 00:30:55 UTC`.
 */
export function describeOrigin({ source, readAt }: PictureOrigin, ends: Ends | null): string {
  const range = ends === null ? [] : [[...new Set(ends.map(toText))].join(' to ')];
  return [
    ...(source === null ? [] : [source]),
    ...range,
    `read ${new Date(readAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  ].join(' · ');
}

/**
 * Returns the name of a file with its origin: `sandbox-PBTCUCZ50-1D-2026-05-26-to-2026-11-25-read-20261126T003055Z`.
 */
export function toFileName(name: string, { source, readAt }: PictureOrigin, ends: Ends | null): string {
  const range = ends === null ? [] : [[...new Set(ends.map(toDay))].join('-to-')];
  const parts = [
    ...(source === null ? [] : [source]),
    name,
    ...range,
    `read-${new Date(readAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
  ];
  return parts.join('-').replaceAll(/[^\w.-]+/g, '-');
}

function toDay(time: ChartTime): string {
  return typeof time === 'number' ? new Date(time * 1_000).toISOString().slice(0, 'YYYY-MM-DD'.length) : time;
}

function toText(time: ChartTime): string {
  return formatDay(toDay(time) as Parameters<typeof formatDay>[0]);
}

interface LegendEntry {
  readonly name: string;
  readonly color: string;
  readonly downColor?: string;
  readonly stroke?: Readout['stroke'] | undefined;
}

/** The heading of an exported image. */
export interface PictureText {
  readonly title: string;
  /** Source, range and time of the data. */
  readonly origin?: string | undefined;
  /** Absent if the image itself names its colours. */
  readonly legend?: readonly LegendEntry[];
  readonly summary: string;
}

interface TextInputs extends Pick<PictureText, 'title' | 'origin' | 'summary'> {
  readonly isHidden: ((name: string) => boolean) | undefined;
  readonly colorOf: (ink: Ink) => string;
}

export function toPictureText(
  { panes, readouts }: ChartData,
  { title, origin, summary, isHidden, colorOf }: TextInputs,
): PictureText {
  return {
    title,
    origin,
    legend: [...toEntries(readouts)].flatMap(([name, [{ ink, downInk, stroke }]]) =>
      ink === undefined || isHidden?.(name) === true
        ? []
        : [{ name, color: colorOf(ink), stroke, ...(downInk && { downColor: colorOf(downInk) }) }],
    ),
    summary: describePanes(panes) + summary,
  };
}

/** Names the panes and their units, from the top. */
function describePanes(panes: readonly Pane[]): string {
  const named = panes.flatMap(({ name, unit }) => (unit === '' ? [] : `${name} in ${unit}`));
  return named.length === 0 ? '' : `${named.join(', ')}. `;
}

interface Lettering {
  readonly color: string;
  readonly fontFamily: string;
}

/** Draws one line of the heading with its baseline at `y`. */
type DrawLine = (context: CanvasRenderingContext2D, y: number) => void;

const SWATCH = 16;
const SWATCH_THICK = 3;
const SPACE = 6;
const GAP = 16;

/**
 * Wraps the heading into lines that fit a width.
 *
 * @internal Exported for its test.
 */
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
  { name, color, downColor, stroke = 'solid' }: LegendEntry,
  at: { readonly x: number; readonly y: number; readonly color: string },
): void {
  context.lineWidth = SWATCH_THICK;
  context.setLineDash(DASHES[stroke]);
  for (const [place, half] of [color, ...(downColor === undefined ? [] : [downColor])].entries()) {
    context.strokeStyle = half;
    context.beginPath();
    context.moveTo(at.x + (place * SWATCH) / 2, at.y - SWATCH_THICK);
    context.lineTo(at.x + SWATCH, at.y - SWATCH_THICK);
    context.stroke();
  }
  context.fillStyle = at.color;
  context.fillText(name, at.x + SWATCH + SPACE, at.y);
}

const MARGIN = 12;
const LINE = 17;
const FIRST_LINE = 18;
const BELOW = 9;

/** Saves the chart as an image with a heading, so that it explains itself outside the page. */
export function savePicture(drawn: HTMLCanvasElement, text: PictureText, fileName: string): void {
  const canvas = addHeading(drawn, text);
  canvas.toBlob((blob) => {
    if (blob !== null) download(fileName, blob, blob.type);
  }, 'image/png');
}

function addHeading(drawn: HTMLCanvasElement, text: PictureText): HTMLCanvasElement {
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return drawn;
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  const lines = layOutHeading(context, text, { color, fontFamily }, drawn.width / ratio - 2 * MARGIN);
  const band = Math.ceil((FIRST_LINE + LINE * (lines.length - 1) + BELOW) * ratio);
  canvas.width = drawn.width;
  canvas.height = drawn.height + band;
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, 0, band);
  context.scale(ratio, ratio);
  context.translate(MARGIN, 0);
  lines.forEach((draw, index) => {
    draw(context, FIRST_LINE + LINE * index);
  });
  return canvas;
}
