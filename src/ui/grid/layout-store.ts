import type { GridState } from './grid-state.ts';
import { createKeptValue, parseFields, toFields, type Frame, type KeptValue } from '../kept-value.ts';

/** How columns are laid out, as far as a reader has changed it. */
export type ColumnLayout = Partial<Pick<GridState, 'order' | 'widths' | 'hidden' | 'pinned'>>;

const VERSION = 1;

/** What is of another version, or names columns that there are not, counts as none. */
export function createLayoutStore(frame: Frame, name: string, columns: readonly string[]): KeptValue<ColumnLayout> {
  return createKeptValue<ColumnLayout>(frame, `perpdesk.${name}.layout`, { parse: (text) => parseLayout(text, columns), format: formatLayout });
}

/** Whether columns stand otherwise; every part of a state is replaced where it changes. */
export function isLaidOutAnew(state: GridState, next: GridState): boolean {
  return next.order !== state.order || next.hidden !== state.hidden || next.widths !== state.widths || next.pinned !== state.pinned;
}

export function toLayout({ order, widths, hidden, pinned }: GridState): ColumnLayout {
  return { order, widths, hidden, pinned };
}

function formatLayout(layout: ColumnLayout): string {
  return JSON.stringify({ version: VERSION, ...layout });
}

function parseLayout(text: string | null, columns: readonly string[]): ColumnLayout {
  const { order, widths, hidden, pinned } = parseFields(text, VERSION);
  const { start, end } = toFields(pinned);
  if (!isListOf(order, columns) || !isListOf(hidden, columns) || !isListOf(start, columns) || !isListOf(end, columns)) return {};
  if (new Set(order).size !== columns.length) return {};
  const known = Object.entries(toFields(widths)).filter(([id, width]) => columns.includes(id) && typeof width === 'number');
  return { order, hidden, pinned: { start, end }, widths: Object.fromEntries(known) as Readonly<Record<string, number>> };
}

function isListOf(value: unknown, ids: readonly string[]): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && ids.includes(id));
}
