import type { Browser, CDPSession } from '@playwright/test';

/** What a user sees: the frames that the browser showed, and those in which a row had no text. */
export interface Watched {
  readonly frames: number;
  readonly blank: number;
}

/** The position of the rows, in pixels of the window. */
export interface RowsArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The texts of two adjacent rows are less than 20 px apart; with a blank row between them they are 47 px apart. */
const BLANK_PX = 36;
/**
 * With fewer frames, nothing blank would be seen because there was nothing to see, so a slow page is scrolled further.
 */
const FEWEST_FRAMES = 10;
/** If a browser shows so few frames in total, it was not observed. */
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

/**
 * Finds the highest band without text, in a separate page. Lines between rows run across the window and do not count as
 * text.
 */
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
