// The legend of a chart while the pointer moves, and while it rests but data and view change.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { changing } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { returnAfter } from '#testing/component/return-after.ts';
import { expectCount, press, textsOf } from '#testing/component/screen.ts';

const chart = page.getByRole('application').first();
const legend = page.getByTestId('legend').first();
const timeShown = (): string => textsOf(legend.getBySelector('dd').first())[0] ?? '';

const describe = (): string =>
  document.getElementById(chart.element().getAttribute('aria-describedby') ?? '')?.textContent ?? '';

async function nextFrame(): Promise<void> {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
}

async function openChart(address: string, options?: Parameters<typeof open>[1]): ReturnType<typeof open> {
  const opened = await open(address, options);
  await expect.element(chart.getBySelector('canvas').first()).toBeVisible();
  await expect.poll(() => textsOf(legend)[0]).toMatch(/\d/);
  return opened;
}

/** Left of the middle. */
async function point(x: number, y = 60): Promise<void> {
  await chart.hover({ position: { x, y } });
  await expect.element(legend).toHaveAttribute('data-pointed', 'true');
  await nextFrame();
}

/** Finds a place where the legend stays the same if the pointer moves by a pixel, within its bar. */
async function expectOfPointer(x: number): Promise<void> {
  await nextFrame();
  const before = timeShown();
  await point(x, 61);
  expect(timeShown()).toBe(before);
}

const REST = 500;

const CHARTS = [
  ['prices', '/price/PBTCUCZ50?range=1M'],
  ['a comparison', '/price/PBTCUCZ50?vs=PETHUIZ50&range=1M'],
  ['volume', '/volume/PBTCUCZ50?range=1M'],
  ['funding of a perpetual', '/funding/BTCUC?range=30d'],
  ['funding side by side', '/funding?pick=BTCUC,ETHUI&range=30d'],
] as const;

it.each([
  ...CHARTS.map(([chart, address]) => [chart, address, 'Range', address.endsWith('30d') ? '90d' : '3M'] as const),
  ['prices', '/price/PBTCUCZ50?range=3M', 'Bars', '1W'],
  ['volume', '/volume/PBTCUCZ50?range=1M', 'Unit', 'USD'],
  ['funding of a perpetual', '/funding/BTCUC?range=30d', 'Rate unit', 'APY'],
] as const)(
  'is of the bar under a pointer that rests on %s (%s) while %s becomes %s',
  async (_, address, group, choice) => {
    await openChart(address);
    await point(REST);
    const [before = ''] = textsOf(legend);
    (
      page
        .getByRole('group', { name: group, exact: true })
        .getByRole('radio', { name: choice, exact: true })
        .element() as HTMLElement
    ).focus();
    await press('Space');
    await expect.poll(() => ['', before].includes(textsOf(legend)[0] ?? '')).toBe(false);
    await expectOfPointer(REST);
  },
);

it.each(CHARTS)('is of the bar under a pointer that rests on %s (%s) while new data arrive', async (_, address) => {
  let isShort = true;
  const dropSome = (_key: string, value: unknown): unknown =>
    Array.isArray(value) && value.length > 20 ? value.slice(Math.ceil(value.length / 2)) : value;
  const { isSettled } = await openChart(address, {
    change: changing(/\/charts\/|funding/, (answer) =>
      isShort ? { ...answer, text: JSON.stringify(JSON.parse(answer.text, dropSome)) } : answer,
    ),
  });
  await point(REST);
  const before = describe();
  isShort = false;
  returnAfter(3_600_000);
  // Figures beside the chart arrive before its data, which its description is about.
  await expect.poll(() => isSettled() && !['', before].includes(describe())).toBe(true);
  await expectOfPointer(REST);
});

it('is of the bar under a pointer that rests while another product is chosen in the palette', async () => {
  await openChart('/price/PBTCUCZ50?range=3M');
  await point(REST);
  await press('Control+k');
  await userEvent.keyboard('BUSZ26');
  await expect.element(page.getByRole('option', { name: /BUSZ26/ }).first()).toBeVisible();
  await press('Enter');
  await expect.element(page.getByRole('application', { name: /BUSZ26/ })).toBeVisible();
  await expect.poll(timeShown).toMatch(/2026/);
  await expectOfPointer(REST);
});

it('is of the bar under a pointer that has dragged the chart beyond its first bar', async () => {
  await openChart('/price/PBTCUCZ50?range=1M');
  await point(REST);
  await userEvent.dragAndDrop(chart, chart, {
    sourcePosition: { x: REST, y: 60 },
    targetPosition: { x: REST + 400, y: 60 },
    steps: 10,
  });
  await expect.poll(() => location.search).toMatch(/range=3M&zoom=/);
  await expectOfPointer(REST + 400);
});

it('is of the bar under a pointer that rested before the chart was there', async () => {
  await openChart('/price/PBTCUCZ50?range=1M');
  await point(REST);
  // The click does not move the pointer.
  page
    .getByRole('navigation')
    .getByRole('link', { name: 'Markets' })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  await expect.element(page.getByRole('row', { name: /PBTCUCZ50/ }).first()).toBeVisible();
  await press('/');
  await userEvent.keyboard('PBTCUCZ50');
  await press('ArrowDown', 'Enter');
  await expect
    .element(
      page
        .getByRole('application', { name: /PBTCUCZ50/ })
        .getBySelector('canvas')
        .first(),
    )
    .toBeVisible();
  // The browser itself reports the element that moved under a resting pointer.
  await expect.element(legend).toHaveAttribute('data-pointed', 'true');
  await expectOfPointer(REST);
});

/** Returns the positions of all entries and the height of the legend, in pixels. */
function figurePlaces(): readonly number[] {
  const { top, height } = legend.element().getBoundingClientRect();
  return [
    height,
    ...[...legend.element().children].flatMap((entry) => [
      entry.getBoundingClientRect().left,
      entry.getBoundingClientRect().top - top,
    ]),
  ];
}

it.each([
  '/price/PBTCUCZ50?range=3M',
  '/price/PBTCUCZ50?range=3M&vs=PETHUIZ50',
  '/volume/PBTCUCZ50?range=3M',
  '/funding/BTCUC',
])('of %s keeps its figures in place while the pointer moves, on a phone and on a desktop', async (address) => {
  for (const width of [360, 1_280]) {
    await openChart(address, { size: [width, 900] });
    await expectCount(page.getByText('Loading…'), 0);
    const rest = figurePlaces();
    const times = new Set<string>();
    const room = chart.element().clientWidth - 10;
    for (const share of [0, 1 / 7, 2 / 7, 3 / 7, 4 / 7, 5 / 7, 6 / 7]) {
      await chart.hover({ position: { x: 5 + share * room, y: 60 } });
      await nextFrame();
      times.add(timeShown());
      const moved = figurePlaces().map((place, index) => Math.abs(place - (rest[index] ?? Number.NaN)));
      expect(Math.max(...moved), String(moved)).toBeLessThan(1);
    }
    // The last positions belong to the price axis.
    expect(times.size).toBeGreaterThan(3);
  }
});
