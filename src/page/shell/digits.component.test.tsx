// These tests check that digits align in every column.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';

/** Text that each screen shows once it is complete. */
const SCREENS = [
  ['/', '[role=gridcell]'],
  ['/price', 'canvas'],
  ['/volume', 'canvas'],
  ['/funding', '[role=gridcell]'],
  ['/funding/BTCUC', '[role=gridcell]'],
  ['/orders', '[role=gridcell]'],
  ['/orders/history', '[role=gridcell]'],
  ['/status', 'table'],
] as const;

/** Returns the texts whose digits differ in width. */
function findProportional(): readonly string[] {
  const ownTexts = [...document.body.querySelectorAll('*')].flatMap((element) =>
    [...element.childNodes].filter((node): node is Text => node instanceof Text),
  );
  return ownTexts
    .filter(
      ({ data, parentElement }) =>
        /\d/.test(data) &&
        parentElement?.checkVisibility() === true &&
        getComputedStyle(parentElement).fontVariantNumeric !== 'tabular-nums',
    )
    .map(({ data }) => data);
}

function widthOfText(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}

test.each(SCREENS)('on %s digits are of one width, and no cell overflows into the next', async (path, drawn) => {
  await open(path);
  await expect.element(page.getBySelector(drawn).first()).toBeVisible();
  // Fallback fonts have different widths.
  await document.fonts.ready;
  expect(findProportional()).toEqual([]);
  const overflowing = [...document.querySelectorAll('[role=gridcell]:not([data-long])')].filter(
    (cell) => widthOfText(cell) > cell.clientWidth,
  );
  expect(overflowing.map((cell) => `${cell.getAttribute('data-column') ?? ''}: ${cell.textContent}`)).toEqual([]);
});

test('the font of the lists has digits of one width', async () => {
  await open('/');
  const settlement = page.getBySelector('[role=gridcell][data-column=settlement]').first();
  await expect.element(settlement).toBeVisible();
  await document.fonts.ready;
  const cell = settlement.element();
  const widths = ['1111111111', '0000000000', '4747474747'].map((text) => {
    cell.textContent = text;
    return widthOfText(cell);
  });
  expect(new Set(widths).size).toBe(1);
});
