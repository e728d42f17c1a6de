import { page } from 'vitest/browser';
import { expect, test } from 'vitest';
import { SCREENS } from '#page/shell/screens.ts';
import { expectCount } from '#testing/component/screen.ts';
import { mount } from '#testing/component/mount.tsx';

const PATHS = [
  ...SCREENS.filter(({ isOfAccess = false, name }) => !isOfAccess && name !== 'Status').map(({ home }) => home),
  ...['/price/PBTCUCZ50', '/volume?product=PBTCUCZ50', '/funding/BTCUC', '/rules/new', '/rules/handover'],
  ...['rules', 'history', 'changes', 'calls'].map((tab) => `/rules?show=${tab}`),
];

/** What shows that a screen has drawn what it can, where that is not a skeleton below its title. */
const DRAWN: Readonly<Record<string, string>> = { '/': 'PBTCUCZ50', '/orders/history': 'loading' };

/** What only data could say. */
const RESULTS = /n\/a|\d (of|loaded)\b|\bold\b/;

test.each(PATHS)(
  'until its data are there, %s looks like loading, and has no age, no count and no file',
  async (path) => {
    mount(path, {
      change: (answer) => (/\/desk\/(status|products)$/.test(answer.target) ? answer : new Promise(() => undefined)),
    });
    const main = page.getByRole('main');
    await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => main.element().textContent).toContain(DRAWN[path] ?? 'Loading…');
    await expectCount(main.getBySelector('[data-freshness]'), 0);
    await expectCount(main.getByRole('button', { name: /CSV|PNG|Evidence/ }).and(page.getBySelector(':enabled')), 0);
    expect(main.element().textContent).not.toMatch(RESULTS);
  },
);
