import { page, userEvent, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { answerOf } from '#testing/component/past-desk.ts';
import { expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';

const MANY = {
  ...{ id: 'many', name: 'Many orders', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 3, unit: 'orders' },
} as const;

const toTime = (time: string): string => `2026-08-17T${time}:00.000Z`;
const TRIAL = {
  ...{
    sentence: 'When there are more than 3 working orders, raise a warning.',
    now: [{ group: '', holds: false, value: '2', sentence: 'There are 2 working orders.' }],
  },
  ...{
    watches: null,
    watches_nothing: null,
    no_data: null,
    not_tried: null,
    tried_from: toTime('00:00'),
    tried_to: toTime('10:00'),
  },
  gaps: [
    { from: toTime('02:00'), to: toTime('03:00') },
    { from: toTime('06:00'), to: toTime('06:30') },
  ],
  firings: [
    { group: '', at: toTime('01:00'), resolved_at: toTime('01:30'), value: '4' },
    { group: '', at: toTime('08:00'), resolved_at: null, value: '5' },
  ],
};

const sentence = (): Locator => page.getByTestId('rule-sentence');
const field = (name: string): Locator => page.getByLabelText(name, { exact: true });

/** A server with one rule, on which every rule has the same test result. */
function answer(target: string) {
  if (target === '/api/desk/rules') return answerOf(target, { rules: [MANY] });
  return target === '/api/desk/rules/try' ? answerOf(target, TRIAL) : null;
}

test('what is typed into the form is kept in the tab until it is discarded; a mistake is at its field', async () => {
  await open('/rules/new', { answer });
  await field('Name').fill('Far orders');
  await field('Measure').selectOptions('Distance from the market');
  await press('Escape');
  await page.getByRole('link', { name: 'All rules' }).click();
  await open('/rules/new', { answer });
  await expect.element(field('Name')).toHaveValue('Far orders');
  await expectToContain(sentence(), 'more than 5 % from the market');
  await field('Value').clear();
  await expect.element(field('Value')).toHaveAccessibleDescription(/Enter a number\.$/);
  await expect.element(page.getByRole('button', { name: 'Create rule' })).toBeDisabled();
  await field('Value').fill('20');
  await field('For at least').fill('-1');
  await expect.element(field('For at least')).toHaveAccessibleDescription(/Must be 0 to 604800\.$/);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect.element(field('Name')).toHaveValue('');
});

test('a span keeps its unit and its fraction while it is typed', async () => {
  await open('/rules/new', { answer });
  const unit = field('For at least: unit');
  await unit.selectOptions('hours');
  // The second text is not a whole number of seconds.
  for (const [typed, said] of [
    ['1.25', '75 minutes'],
    ['1.3333', '80 minutes'],
  ] as const) {
    await field('For at least').clear();
    await userEvent.keyboard(typed);
    await expectToContain(sentence(), `for ${said},`);
    await expect.element(field('For at least')).toHaveValue(Number(typed));
    await expect.element(unit).toHaveDisplayValue('hours');
  }
});

test('a trial waits for the perpetual that a rule is about', async () => {
  const { requested } = await open('/rules/new', { answer });
  const trials = (): number => requested.filter((target) => target === '/api/desk/rules/try').length;
  await field('Measure').selectOptions('Predicted rate');
  await expect.element(page.getByText('Once the rule is complete, this shows its result now')).toBeVisible();
  const before = trials();
  await sentence().getByRole('button', { name: '…' }).click();
  await userEvent.keyboard('btcuc');
  await expect.element(page.getByRole('option', { name: /^BTCUC/ }).first()).toBeVisible();
  expect(trials()).toBe(before);
  await press('Enter');
  await expectToContain(sentence(), 'predicted rate of BTCUC');
  await expect.poll(trials).toBe(before + 1);
  await expect.element(page.getByText('The condition does not hold now.')).toBeVisible();
});

test('a trial says and draws when the journal was not read', async () => {
  await open('/rules/edit/many', { answer });
  const line = page.getByRole('img', { name: '2 firings, 2 gaps. Each firing is listed below.' });
  await expectText(
    page.getByText(/^In 10 h 00 min, it would have fired twice/),
    /The journal has 2 gaps in this period, 1 h 30 min in all: what happened in them is unknown, and the time the rule has held is counted from zero after each\.$/,
  );
  await expectCount(page.getByRole('table', { name: 'When it would have fired' }).getByRole('row'), 3);
  for (const width of [390, 1_280, 2_560]) {
    await expectToFit(width);
    const [box, gap] = [
      line.element().getBoundingClientRect(),
      page.getBySelector('figure [data-part=gap]').nth(1).element().getBoundingClientRect(),
    ];
    expect([Math.round((10 * (gap.x - box.x)) / box.width), Math.round((10 * gap.width) / box.width)]).toEqual([2, 1]);
  }
  await expectAccessible();
});
