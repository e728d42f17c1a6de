import { download } from '../download.ts';
import { layOutHeading } from './picture-heading.ts';
import type { PictureText } from './picture-text.ts';

const MARGIN = 12;
const LINE = 17;
const FIRST_LINE = 18;
const BELOW = 9;

/** Saves the chart as an image with a heading, so that it explains itself outside of the page. */
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
