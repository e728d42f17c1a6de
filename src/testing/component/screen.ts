import { expect, onTestFinished, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';

/** Returns the visible texts, one for each element. */
export function textsOf(locator: Locator): readonly string[] {
  return locator
    .elements()
    .map((element) => (element instanceof HTMLElement ? element.innerText : element.textContent).trim());
}

/** Expects the whole visible text of the one element. */
export async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  const whole = () => textsOf(locator);
  await expect.poll(whole).toEqual([typeof text === 'string' ? text : expect.stringMatching(text)]);
}

/** Expects a part of the visible text of the one element. */
export async function expectToContain(locator: Locator, text: string): Promise<void> {
  await expect.poll(() => textsOf(locator)).toEqual([expect.stringContaining(text)]);
}

export async function expectCount(locator: Locator, count: number): Promise<void> {
  await expect.poll(() => locator.elements().length).toBe(count);
}

/** Returns the path and query in the address bar. */
export function address(): string {
  return location.pathname + location.search;
}

/** Presses keys one after another, such as `Enter` or `Shift+Tab`. */
export async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const [last = '', ...held] = key.split('+').toReversed();
    const name = last === 'Space' ? ' ' : last;
    await userEvent.keyboard(
      `${held.map((each) => `{${each}>}`).join('')}${name.length > 1 ? `{${name}}` : name}${held.map((each) => `{/${each}}`).join('')}`,
    );
  }
}

/** The Export menu of what is named; without a name, that of the whole screen. */
export function exportMenu(of = ''): Locator {
  return page.getByRole('button', { name: `Export ${of}`.trim(), exact: true });
}

/** Chooses from an Export menu. */
export async function exportAs(form: string, menu = exportMenu()): Promise<void> {
  await menu.click();
  await page.getByRole('menuitem', { name: form }).click();
}

interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the file that an action saves. */
export async function fileSavedBy(action: () => Promise<void>): Promise<SavedFile> {
  const [file = { name: '', text: '' }] = await filesSavedBy(action, 1);
  return file;
}

/** Returns the files that an action saves, in their order. */
export async function filesSavedBy(action: () => Promise<void>, count: number): Promise<readonly SavedFile[]> {
  const contents: Blob[] = [];
  const names: string[] = [];
  const created = vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    contents.push(content as Blob);
    return 'blob:saved';
  });
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  onTestFinished(() => {
    created.mockRestore();
    clicked.mockRestore();
  });
  await action();
  await expect.poll(() => names.length).toBe(count);
  return Promise.all(names.map(async (name, index) => ({ name, text: (await contents[index]?.text()) ?? '' })));
}
