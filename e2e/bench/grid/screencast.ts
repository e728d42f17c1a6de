import type { Browser, CDPSession } from '@playwright/test';

/** What a reader's eye gets: the frames that the browser showed, and those in which a row had no text. */
export interface Watched {
  readonly frames: number;
  readonly blank: number;
}

/** Where the rows are, in px of the window. */
export interface RowsArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Between the texts of two rows there are less than 20 px; where a row between them has none, there are 47. */
const BLANK_PX = 36;
/** In fewer, nothing blank would be seen for there was nothing to see: a slow page is scrolled on. */
const FEWEST_FRAMES = 10;
/** A browser that shows so few in all of these was not watched. */
const MOST_TURNS = 5;

export async function watchRows(
  browser: Browser,
  session: CDPSession,
  area: RowsArea,
  act: () => Promise<unknown>,
): Promise<Watched> {
  const images: string[] = [];
  const take = ({ data, sessionId }: { readonly data: string; readonly sessionId: number }): void => {
    images.push(data);
    void session.send('Page.screencastFrameAck', { sessionId });
  };
  session.on('Page.screencastFrame', take);
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 90, everyNthFrame: 1 });
  for (let turn = 0; turn < MOST_TURNS && images.length < FEWEST_FRAMES; turn++) await act();
  await session.send('Page.stopScreencast');
  session.off('Page.screencastFrame', take);
  if (images.length < FEWEST_FRAMES)
    throw new Error(`only ${String(images.length)} frames were shown while the rows were scrolled`);
  const viewer = await browser.newPage();
  const gaps: number[] = [];
  for (const image of images) gaps.push(await viewer.evaluate(measureGap, [image, area] as const));
  await viewer.close();
  return { frames: images.length, blank: gaps.filter((px) => px >= BLANK_PX).length };
}

/** Runs in a page of its own: the highest band without text. Lines between rows go across, and are none. */
async function measureGap([image, { left, top, right, bottom }]: readonly [string, RowsArea]): Promise<number> {
  const INK = 40;
  const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  const [width, height] = [Math.floor(right - left), Math.floor(bottom - top)];
  const { data } = context.getImageData(Math.ceil(left), Math.ceil(top), width, height);
  const hasText = (y: number): boolean => {
    const start = y * width * 4;
    for (let at = start + 4; at < start + width * 4; at += 4)
      if (Math.abs((data[at] ?? 0) - (data[start] ?? 0)) > INK) return true;
    return false;
  };
  let [gap, highest] = [0, 0];
  for (let y = 0; y < height; y++) {
    gap = hasText(y) ? 0 : gap + 1;
    highest = Math.max(highest, gap);
  }
  return highest;
}
