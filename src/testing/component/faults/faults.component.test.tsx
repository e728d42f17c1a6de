// Plants each fault of the catalogue into the exchange's responses: the screens show it, and a sound exchange triggers
// none.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cellOf, footer, grid } from '../markets-page.ts';
import { mount, type Change } from '../mount.tsx';
import { expectCount } from '../screen.ts';
import { CATALOGUE } from './catalogue.ts';
import { PLACES, SCREENS, SYMBOL, type Evidence, type Fault, type Screen } from './fault.ts';

const PRODUCT_ID = 5614;

const textOfPage = (): string => document.body.innerText.replaceAll(/\s+/g, ' ');
const textOfDialog = (): string => document.querySelector('[role=dialog]')?.textContent ?? '';
const marks = () => page.getByRole('button', { name: /^\d+ (?:deviation|unknown field)s?$/ });
const withheldCount = () => footer().getByText(/^\d+ products? withheld$/);
const withheldMarks = () => grid().getBySelector('[data-column="symbol"][data-tone="withheld"]');

/** Whether a fault is in a response. Further pages of a list are left unchanged. */
function isIn(places: Fault['places'], target: string): boolean {
  return (
    places.some((place) => PLACES[place].test(target)) && !new URL(target, 'http://desk').searchParams.has('cursor')
  );
}

function toChange({ places, change }: Fault): Change {
  return (answer) => {
    if (!isIn(places, answer.target)) return answer;
    const { status, contentType, text } = change(
      { status: answer.status, contentType: answer.headers['content-type'] ?? '', text: answer.text },
      PRODUCT_ID,
    );
    return { ...answer, status, headers: { ...answer.headers, 'content-type': contentType }, text };
  };
}

async function expectMissing({ column, text, reason }: Extract<Evidence, { readonly column: string }>): Promise<void> {
  const find = (): HTMLElement | null =>
    [...document.querySelectorAll('[role=grid] [role=row]')]
      .find((row) => row.textContent.includes(SYMBOL))
      ?.querySelector<HTMLElement>(`[data-column="${column}"]`) ?? null;
  await expect.poll(() => find()?.innerText.trim()).toBe(text);
  const cell = find();
  if (cell === null) throw new Error(`The row has no cell of ${column}.`);
  // The text of the cell differs from row to row, so no name finds it for a pointer.
  for (const type of ['pointerdown', 'pointerup', 'click'])
    cell.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, pointerType: 'mouse' }));
  cell.closest<HTMLElement>('[role=grid]')?.focus();
  await userEvent.keyboard('i');
  await expect.poll(textOfDialog).toMatch(reason);
}

async function expectWithheld(reason: RegExp): Promise<void> {
  await expect.element(cellOf(SYMBOL, 'symbol')).toHaveAttribute('data-tone', 'withheld');
  await expectCount(withheldMarks(), 1);
  await expect.element(withheldCount()).toHaveTextContent('1 product withheld');
  await userEvent.click(withheldCount());
  await expect.poll(textOfPage).toMatch(reason);
}

async function expectShown(shown: Evidence): Promise<void> {
  if (shown instanceof RegExp) await expect.poll(textOfPage).toMatch(shown);
  else if ('column' in shown) await expectMissing(shown);
  else if ('withheld' in shown) await expectWithheld(shown.withheld);
  else {
    await userEvent.click(marks().first());
    await expect.poll(textOfDialog).toContain(shown.deviation);
  }
  expect(textOfPage()).not.toMatch(/stopped working/);
}

/** Returns the texts that show faults on a screen. */
function patternsOf(screen: Screen): readonly RegExp[] {
  return CATALOGUE.flatMap(({ shown }) => shown[screen] ?? []).filter((shown) => shown instanceof RegExp);
}

/** Expects the fully loaded screen to show no fault of the catalogue. */
async function expectNothingShown(isSettled: () => boolean, patterns: readonly RegExp[]): Promise<void> {
  await expect.poll(textOfPage).toMatch(/ old/);
  // When one read depends on another, there is a moment between them in which nothing is being read and figures are
  // still missing.
  const shown = (): readonly RegExp[] => patterns.filter((pattern) => pattern.test(textOfPage()));
  await expect.poll(() => (isSettled() ? shown() : 'still reading')).toEqual([]);
  for (const shownBy of [marks(), withheldMarks(), withheldCount()]) expect(shownBy.elements()).toEqual([]);
  expect(textOfPage()).not.toMatch(/stopped working/);
}

test.each(CATALOGUE.map((fault) => [`${fault.name} (${fault.places.join(', ')})`, fault] as const))(
  '%s',
  async (_, fault) => {
    for (const [screen, shown] of Object.entries(fault.shown) as [Screen, Evidence][]) {
      const { unmount } = mount(SCREENS[screen], { change: toChange(fault) });
      await expectShown(shown);
      unmount();
    }
    for (const screen of fault.silent?.screens ?? []) {
      const { isSettled, unmount } = mount(SCREENS[screen], { change: toChange(fault) });
      await expectNothingShown(isSettled, patternsOf(screen));
      unmount();
    }
  },
);

test.each(Object.keys(SCREENS) as Screen[])('a sound exchange trips none of them on %s', async (screen) => {
  await expectNothingShown(mount(SCREENS[screen]).isSettled, patternsOf(screen));
});
