import { formatDay } from '#model/format/day.ts';
import type { ChartTime } from '#model/charts/picture.ts';
import type { ViewWindow } from './view-window.ts';

/** Where the data of a chart come from. */
export interface PictureOrigin {
  /** Null: unknown. */
  readonly source: string | null;
  /** When they were read, in epoch milliseconds. */
  readonly readAt: number;
}

type Ends = readonly [first: ChartTime, last: ChartTime];

/** The first and the last bar in view; null without bars. */
export function findEnds(view: ViewWindow | null, times: readonly ChartTime[]): Ends | null {
  const last = times.length - 1;
  const [from, to] =
    view === null ? [0, last] : [Math.max(0, Math.ceil(view.from)), Math.min(last, Math.floor(view.to))];
  const [start, end] = [times[from], times[to]];
  return start === undefined || end === undefined ? null : [start, end];
}

/** `sandbox · 26 May 2026 to 25 Nov 2026 · read 2026-11-26 00:30:55 UTC`, for an image that leaves its page. */
export function describeOrigin({ source, readAt }: PictureOrigin, ends: Ends | null): string {
  const range = ends === null ? [] : [[...new Set(ends.map(toText))].join(' to ')];
  return [
    ...(source === null ? [] : [source]),
    ...range,
    `read ${new Date(readAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  ].join(' · ');
}

/** The same for a file: `sandbox-PBTCUCZ50-1D-2026-05-26-to-2026-11-25-read-20261126T003055Z`. */
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
