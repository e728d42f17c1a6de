import { page, userEvent, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open, recordedAnswer } from '#testing/component/mount.tsx';
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

const UNTRIED = {
  ...{ kind: 'standard', host: 'hooks.firm.example', state: 'untried', since: null },
  ...{ waiting: 0, oldest_at: null, next_at: null, last: null },
};
const CHANNELS = ['desk', 'night'].map((name) => ({ name, ...UNTRIED }));

const sentence = (): Locator => page.getByTestId('rule-sentence');
const field = (name: string): Locator => page.getByLabelText(name, { exact: true });

/** A server with one rule, on which every rule has the same test result. */
function answer(target: string) {
  if (target === '/api/desk/rules') return answerOf(target, { rules: [MANY] });
  if (target === '/api/desk/calls') return answerOf(target, { delivers: true, channels: CHANNELS });
  return target === '/api/desk/rules/try' ? answerOf(target, TRIAL) : null;
}

async function recorded<Body>(target: string): Promise<Body> {
  return JSON.parse((await recordedAnswer(target))?.text ?? '') as Body;
}

interface Listed {
  readonly products: readonly { readonly product_id: number; readonly symbol: string; readonly type: string }[];
}

async function idsOf(...symbols: readonly string[]): Promise<readonly number[]> {
  const { products } = await recorded<Listed>('/api/desk/products');
  return symbols.map((symbol) => products.find((product) => product.symbol === symbol)?.product_id ?? NaN);
}

async function countPerpetuals(): Promise<number> {
  const { products } = await recorded<Listed>('/api/desk/products');
  return products.filter(({ type }) => type === 'perpetual').length;
}

async function accountCodes(): Promise<readonly string[]> {
  const { aliases } = await recorded<{ readonly aliases: readonly { readonly kind: string; readonly code: string }[] }>(
    '/api/desk/aliases',
  );
  return aliases.flatMap(({ kind, code }) => (kind === 'account' ? [code] : [])).toSorted();
}

test('what is typed into the form is kept in the tab until it is discarded; a mistake is at its field', async () => {
  await open('/rules/new', { answer });
  await field('Name').fill('Far orders');
  await field('Measure').selectOptions('Distance of the farthest or nearest order from the market');
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

test('a product that a stored rule names stays in its field, and says that it is no longer listed', async () => {
  const gone = {
    ...{ ...MANY, about: 'market', measure: 'price_change', filter: { symbol: 'NO-SUCH' }, unit: 'percent' },
    each: undefined,
  };
  await open('/rules/edit/many', {
    answer: (target) => (target === '/api/desk/rules' ? answerOf(target, { rules: [gone] }) : answer(target)),
  });
  const product = page.getByRole('group', { name: 'Product', exact: true });
  await expectToContain(product, 'NO-SUCH');
  await expectToContain(product, 'Not listed as active.');
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

test('a rule notifies other channels later, and again, until the alert is acknowledged', async () => {
  await open('/rules/new', { answer });
  await page.getByLabelText('desk', { exact: true }).click();
  await field('Repeat every').fill('10');
  await field('Repeat every: unit').selectOptions('minutes');
  await page.getByRole('button', { name: 'Notify other channels later' }).click();
  await expectToContain(
    sentence(),
    'notify desk; until it is acknowledged, also night after 5 minutes, and again every 10 minutes.',
  );
  await field('Step 1 after').fill('0');
  await expect.element(field('Step 1 after')).toHaveAccessibleDescription(/Must be 1 to 604800\.$/);
  for (const width of [390, 1_280]) await expectToFit(width);
  await expectAccessible();
  await page.getByRole('button', { name: 'Remove step 1' }).click();
  await field('Repeat every').fill('0');
  await expectToContain(sentence(), 'notify desk.');
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
  await expect.element(page.getByText('The condition is not true now.')).toBeVisible();
});

interface Verdict {
  readonly group: string;
  readonly holds: boolean | null;
}

test.each<readonly [each: string, verdicts: readonly Verdict[], text: string]>([
  [
    'account',
    [
      { group: 'A', holds: true },
      { group: 'B', holds: false },
      { group: 'C', holds: null },
    ],
    'The condition is true for 1 of 3 accounts now; for 1, that is unknown.',
  ],
  [
    'order',
    [
      { group: '1', holds: true },
      { group: '2', holds: true },
      { group: '', holds: true },
    ],
    'The condition is true for more than 2 orders now.',
  ],
])('a trial for each %s says for how many it holds, and for how many that is unknown', async (each, verdicts, text) => {
  const now = verdicts.map((verdict) => ({ ...verdict, value: '1', sentence: `Of ${verdict.group}.` }));
  const rules = [{ ...MANY, each, value: 0 }];
  await open('/rules/edit/many', {
    answer: (target) => {
      if (target === '/api/desk/rules') return answerOf(target, { rules });
      return target === '/api/desk/rules/try' ? answerOf(target, { ...TRIAL, now }) : answer(target);
    },
  });
  await expect.element(page.getByText(text)).toBeVisible();
  // Neither is a fault or a success: the rule says what is true, not what is good.
  const marks = page.getByRole('table', { name: 'Result now' }).getBySelector('[data-state]').elements();
  expect(marks.map((mark) => [mark.textContent, mark.getAttribute('data-state')])).toEqual(
    verdicts
      .toSorted((a, b) => RANKS.indexOf(a.holds) - RANKS.indexOf(b.holds))
      .map(({ holds }) => (holds === null ? ['unknown', 'attention'] : [holds ? 'true now' : 'not now', 'none'])),
  );
});

/** The order of a trial’s verdicts. */
const RANKS = [true, null, false];

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

test('a rule about each new order beyond limits is made with the keyboard, and its words lead to their fields', async () => {
  await openForm();
  await field('Measure').selectOptions('Distance of the farthest or nearest order from the market');
  await field('Value').fill('20');
  await field('Evaluated for').selectOptions('each order');
  await expect.element(page.getByRole('checkbox', { name: 'New ones only' })).toBeChecked();
  await field('Older than').fill('10');
  await field('Underlying notional over').fill('1000');
  await page.getByRole('checkbox', { name: 'options' }).click();
  await expectToContain(
    sentence(),
    'Among outrights and spreads older than 10 minutes and over 1,000 USD: when there is a working order more than ' +
      '20 % from the market, raise a warning for each new order.',
  );
  await sentence().getByRole('button', { name: 'older than 10 minutes and over 1,000 USD' }).click();
  await expect.element(field('Older than')).toHaveFocus();
  await sentence().getByRole('button', { name: 'outrights and spreads' }).click();
  await expect.element(page.getByRole('checkbox', { name: 'outrights' })).toHaveFocus();
  await field('Measure').selectOptions('Working orders');
  await expectCount(page.getByLabelText('Value', { exact: true }), 0);
  await expectToContain(sentence(), 'when there is at least 1 working order, raise a warning for each new order.');
});

test('what most rules do without is folded, and a word of the sentence unfolds it', async () => {
  const hours = { zone: 'UTC', days: ['Mon', 'Tue'], from: '08:00', to: '16:00', except_holidays: true };
  await openForm();
  await expect.element(page.getByLabelText('Clears at', { exact: true })).not.toBeVisible();
  await page.getByText('More: when an alert ends').click();
  await field('Clears at').fill('900');
  await field('Keep firing for').fill('5');
  await field('Notify at most once in').fill('60');
  await page.getByRole('checkbox', { name: 'Evaluate only at certain hours' }).click();
  await field('From').fill(hours.from);
  await field('To').fill(hours.to);
  await field('Time zone').fill('Chicago');
  await expect.element(field('Time zone')).toHaveAccessibleDescription(/Must be the name of a time zone/);
  await field('Time zone').fill('UTC');
  for (const day of ['Wed', 'Thu', 'Fri']) await page.getByRole('checkbox', { name: day }).click();
  await expectToContain(
    sentence(),
    'It clears at 900 or under. It keeps firing for 5 minutes. Each alert notifies at most once in 1 hour. It is ' +
      'evaluated on Mon, Tue from 08:00 to 16:00 UTC, except on holidays (holidays unknown).',
  );
  await page.getByText('More: when an alert ends').click();
  await expect.element(field('Clears at')).not.toBeVisible();
  await sentence().getByRole('button', { name: 'at 900 or under' }).click();
  await expect.element(field('Clears at')).toHaveFocus();
  // Beside the trial, no field reaches under it.
  await page.viewport(1_440, 900);
  const trial = page.getByRole('region', { name: 'Trial' }).element().getBoundingClientRect();
  for (const control of document.querySelectorAll('form :is(input, select, button)'))
    expect(control.getBoundingClientRect().right, control.outerHTML).toBeLessThanOrEqual(trial.left);
  for (const width of [390, 1_440]) await expectToFit(width);
  await expectAccessible();
});

test('a rule is about each product of a list, which a watchlist fills and later changes of it do not change', async () => {
  localStorage.setItem(
    'perpdesk.watchlists',
    JSON.stringify({
      version: 1,
      lists: [{ id: 'majors', name: 'Majors', products: await idsOf('PBTCUCZ50', 'BUSZ26') }],
    }),
  );
  await open('/rules/new', { answer });
  await field('Measure').selectOptions('Price');
  await field('Evaluated for').selectOptions('each of a list');
  await expect.element(page.getByText('Add at least one product.')).toBeVisible();
  await field('Add a watchlist').selectOptions('Majors (2 products)');
  await field('Is').selectOptions('crossing, up or down');
  await field('Value').fill('110000');
  await expectToContain(sentence(), 'the price of PBTCUCZ50 or BUSZ26 crosses 110,000 USD');
  await expectCount(page.getByLabelText('For at least', { exact: true }), 0);
  localStorage.removeItem('perpdesk.watchlists');
  await page.getByRole('button', { name: 'Remove PBTCUCZ50' }).click();
  await expectToContain(sentence(), 'the price of BUSZ26 crosses');
  // By keyboard: the sentence leads to the list, whose search finds a product by any of its names.
  await sentence().getByRole('button', { name: 'BUSZ26' }).click();
  await userEvent.keyboard('pdog');
  await expect.element(page.getByRole('option', { name: /^PDOG/ }).first()).toBeVisible();
  await press('Enter');
  await expectToContain(sentence(), 'the price of BUSZ26 or PDOG');
  for (const width of [390, 1_440]) await expectToFit(width);
  await expectAccessible();
});

test('a rule about the price of a product, proposed by its screen, is filled in', async () => {
  await open('/rules/new?product=PBTCUCZ50&price=109235', { answer });
  await expectToContain(sentence(), 'the price of PBTCUCZ50 crosses 109,235 USD');
  await expect.element(field('Name')).toHaveValue('Price of PBTCUCZ50');
});

test('an expression is completed in a list under its field', async () => {
  await openForm();
  const expression = field('Additional condition on each order');
  const proposals = page.getByRole('listbox', { name: 'Fields and values' });
  await expression.click();
  await expectCount(proposals.getByRole('option'), 17);
  await userEvent.keyboard('order.si');
  await expectText(proposals.getByRole('option'), /^order\.side\s+text\. Side: Bid buys, Ask sells\.$/);
  await press('Enter');
  await userEvent.keyboard(' == ');
  await press('ArrowDown');
  await expect.element(proposals.getByRole('option', { name: '"Ask"' })).toHaveAttribute('aria-selected', 'true');
  await press('Enter');
  await expect.element(expression).toHaveValue('order.side == "Ask"');
  await userEvent.keyboard(' && order.pri');
  await expect.element(proposals).toBeVisible();
  await expectAccessible();
  await press('Escape');
  await expectCount(page.getByRole('listbox'), 0);
  await expect.element(expression).toHaveValue('order.side == "Ask" && order.pri');
});

/** Opens the form of a new rule, without the draft of an earlier test. */
async function openForm(): Promise<void> {
  sessionStorage.clear();
  await open('/rules/new', { answer });
}

test('a rule is about the funding of every perpetual in a unit of its own, and says how often that is read', async () => {
  await open('/rules/new', { answer });
  await field('Measure').selectOptions('Predicted rate');
  await field('Evaluated for').selectOptions('every perpetual');
  await field('Unit').selectOptions('% APR, simple');
  await field('Value').fill('40');
  await expectToContain(sentence(), 'the predicted rate of a perpetual is over 40 % APR');
  const perpetuals = await countPerpetuals();
  await expect
    .element(field('Evaluated for'))
    .toHaveAccessibleDescription(
      `${String(perpetuals)} predicted rates, each read every ${String(Math.floor(perpetuals / 4))} min while the request budget allows.`,
    );
  await expect.element(page.getByText('The condition is not true now.')).toBeVisible();
  await field('Measure').selectOptions('Sign change of the settled rate');
  await expectToContain(sentence(), 'the settled rate of a perpetual changes sign');
  await expect.element(page.getByRole('heading', { name: 'On stored settled rates' })).toBeVisible();
});

test('codes of accounts are suggested as they are typed, and one that is not known is said at once', async () => {
  await open('/rules/new', { answer });
  const account = page.getByRole('combobox', { name: 'Account', exact: true });
  const [code = ''] = await accountCodes();
  await account.fill(code.slice(0, -1).toLowerCase());
  await expect.element(page.getByRole('option', { name: code })).toBeVisible();
  await press('ArrowDown', 'Enter');
  const codes = await accountCodes();
  const first = codes.find((each) => each.startsWith(code.slice(0, -1)));
  await expect.element(account).toHaveValue(first);
  await expectToContain(sentence(), `of account ${first ?? ''}`);
  await account.fill('NRD-105');
  const missed = page.getByRole('status').filter({ hasText: 'No account matches “NRD-105”.' });
  await expect.element(missed).toBeVisible();
  await press('Escape');
  await expectCount(missed, 0);
  await expect.element(account).toHaveAccessibleDescription(/No account matches\.$/);
  await expect.element(account).toHaveValue('NRD-105');
});

test('the form turns on the sound of this browser, which is no part of the rule', async () => {
  await open('/rules/new', { answer });
  const sound = page.getByRole('group', { name: 'This browser' }).getByRole('radio', { name: 'Chime' });
  await sound.click();
  await expect.element(sound).toBeChecked();
  expect(localStorage.getItem('perpdesk.preferences')).toContain('"alertSound":"chime"');
});
