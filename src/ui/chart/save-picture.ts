const BAND = 44;
const MARGIN = 12;

export interface PictureText {
  readonly title: string;
  readonly summary: string;
}

/** The drawing as a file, with what it shows written above it: a picture goes further than its page. */
export function savePicture(drawn: HTMLCanvasElement, { title, summary }: PictureText, fileName: string): void {
  const canvas = addHeading(drawn, { title, summary });
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const url = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(url);
  }, 'image/png');
}

function addHeading(drawn: HTMLCanvasElement, { title, summary }: PictureText): HTMLCanvasElement {
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = drawn.width;
  canvas.height = drawn.height + BAND * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return drawn;
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, 0, BAND * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = color;
  context.font = `600 13px ${fontFamily}`;
  context.fillText(title, MARGIN, 18);
  context.font = `11px ${fontFamily}`;
  context.fillText(summary, MARGIN, 35, drawn.width / ratio - 2 * MARGIN);
  return canvas;
}
