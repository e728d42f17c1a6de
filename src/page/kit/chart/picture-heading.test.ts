import { expect, test } from 'vitest';
import { layOutHeading, type PictureText } from './save-picture.ts';

const WIDTH = 300;
const LETTER = 6;

interface Written {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Widths to which texts are squeezed. */
  readonly most: readonly number[];
}

/** Returns the lines written on a canvas whose letters are all equally wide. */
function write(text: PictureText) {
  const written: Written[] = [];
  const strokes: unknown[] = [];
  const context = {
    strokeStyle: '',
    measureText: (words: string) => ({ width: words.length * LETTER }),
    fillText: (words: string, x: number, y: number, ...most: number[]) => written.push({ text: words, x, y, most }),
    setLineDash: () => undefined,
    beginPath: () => undefined,
    moveTo: () => undefined,
    lineTo: () => undefined,
    stroke: () => strokes.push(context.strokeStyle),
  };
  const canvas = context as unknown as CanvasRenderingContext2D;
  layOutHeading(canvas, text, { color: 'black', fontFamily: 'sans' }, WIDTH).forEach((draw, index) => {
    draw(canvas, index);
  });
  return { written, strokes };
}

test('wraps a long summary without losing a word', () => {
  const summary = 'BUCZ26 volume 1,204 contracts, open interest 88 contracts, '.repeat(8).trim();
  const { written } = write({ title: 'Stack', summary });
  const lines = written.slice(1);
  expect(lines.map(({ text }) => text).join(' ')).toBe(summary);
  expect(lines.length).toBeGreaterThan(8);
  for (const { text, most } of written) expect([text.length * LETTER <= WIDTH, most]).toEqual([true, []]);
});

test('lists every series with its colour, in several rows where needed', () => {
  const colors = ['red', 'green', 'blue', 'teal'];
  const legend = colors.map((color) => ({ name: `Volume of ${color}`, color }));
  const { written, strokes } = write({ title: 'Stack', legend, summary: 'Eight bars.' });
  expect(strokes).toEqual(colors);
  expect(written.slice(1, -1).map(({ text }) => text)).toEqual(legend.map(({ name }) => name));
  expect(new Set(written.map(({ y }) => y)).size).toBe(4);
  for (const { text, x } of written) expect(x + text.length * LETTER).toBeLessThanOrEqual(WIDTH);
});
