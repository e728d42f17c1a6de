import { isDay } from '#contract/exchange/instant.ts';
import { type Anchor, type Drawing, DRAWING_KINDS, findDrawingMistake, inOrder, MOST_DRAWINGS } from './drawing.ts';

/** The drawings of a product as text: in a file, and as they are kept for a person. */

const FORMAT = 'perpdesk drawings';
const VERSION = 1;

/** Drawings as text; empty if there are none. */
export function writeDrawings(drawings: readonly Drawing[], product: string): string {
  return drawings.length === 0 ? '' : JSON.stringify({ format: FORMAT, version: VERSION, product, drawings });
}

type Read = { readonly drawings: readonly Drawing[] } | { readonly problem: string };

const NOT_DRAWINGS = 'This is not a file of drawings, or a newer version of Perpdesk saved it.';

/** Reads drawings of a product, or says in a sentence why they are refused. Nothing is taken from a text with a mistake. */
export function readDrawings(text: string, product: string): Read {
  if (text === '') return { drawings: [] };
  const { format, version, product: of, drawings } = parse(text);
  if (format !== FORMAT || version !== VERSION || !Array.isArray(drawings)) return { problem: NOT_DRAWINGS };
  if (of !== product) return { problem: `These drawings are of ${String(of)}, and this chart is of ${product}.` };
  if (drawings.length > MOST_DRAWINGS)
    return {
      problem: `These are ${String(drawings.length)} drawings; a product has at most ${String(MOST_DRAWINGS)}.`,
    };
  const read = drawings.map(readDrawing);
  const mistakes = read.flatMap((each, place) =>
    typeof each === 'string' ? [`Drawing ${String(place + 1)}: ${each}`] : [],
  );
  if (mistakes[0] !== undefined) return { problem: mistakes[0] };
  const found = read.filter((each) => typeof each !== 'string');
  return new Set(found.map(({ id }) => id)).size === found.length
    ? { drawings: found }
    : { problem: 'Two of these drawings have the same ID.' };
}

/** Adds drawings; one with a known ID takes the place of that drawing. */
export function mergeDrawings(before: readonly Drawing[], added: readonly Drawing[]): Read {
  const ids = new Set(added.map(({ id }) => id));
  const drawings = [...before.filter(({ id }) => !ids.has(id)), ...added];
  return drawings.length > MOST_DRAWINGS
    ? { problem: `A product has at most ${String(MOST_DRAWINGS)} drawings. Delete some first.` }
    : { drawings };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
  try {
    return toFields(JSON.parse(text));
  } catch {
    return {};
  }
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns a drawing, or its mistake in a sentence. */
function readDrawing(value: unknown): Drawing | string {
  const { id, kind: name, points, text = '' } = toFields(value);
  const kind = DRAWING_KINDS.find((each) => each === name);
  if (kind === undefined) return `There is no kind “${String(name)}”.`;
  if (typeof id !== 'string' || id === '') return 'It has no ID.';
  if (!Array.isArray(points) || typeof text !== 'string') return 'It has no points, or its text is none.';
  const read = points.map(readAnchor);
  const mistake = read.find((each) => typeof each === 'string');
  if (mistake !== undefined) return mistake;
  const drawing = { id, kind, points: inOrder(read.filter((each) => typeof each !== 'string')), text };
  return findDrawingMistake(drawing) ?? drawing;
}

function readAnchor(value: unknown): Anchor | string {
  const { date, ticks } = toFields(value);
  if (typeof date !== 'string' || !isDay(date)) return `“${String(date)}” is not a date.`;
  if (typeof ticks !== 'number' || !Number.isSafeInteger(ticks)) return 'A price must be a whole number of ticks.';
  return { date, ticks };
}
