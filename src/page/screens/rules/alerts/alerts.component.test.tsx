import { page } from 'vitest/browser';
import { expect, test } from 'vitest';
import { ago, HUNDRED, toAlert, toAlerts } from '#testing/alerts.ts';
import { drawer, focusGrid, grid, openAlerts, rowOf } from '#testing/component/alerts-page.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';

const inColumn = (column: string) => textsOf(grid().getBySelector(`[role=gridcell][data-column="${column}"]`));
const tab = (name: RegExp) => page.getByRole('radio', { name });
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const footer = () => page.getBySelector('main footer');
const acknowledged = { by: 'Ann', at: ago(60), note: 'looking', assignee: 'Bo' };

test('alerts are listed by rule with their number and the worst subject, the worst rule first', async () => {
  await openAlerts(toAlerts(HUNDRED));
  const groups = () => textsOf(grid().getBySelector('[data-group]')).map((text) => text.split('\n'));
  await expect
    .poll(() => groups()[0])
    .toEqual(expect.arrayContaining([expect.stringContaining('over 60, each account · 1')]));
  expect(groups()[0]).toEqual(expect.arrayContaining(['MERI-103 61', '◆ critical']));
  expect(groups()[1]).toEqual(expect.arrayContaining([expect.stringContaining('in 3 min, each account · 96')]));
  await expectText(footer(), '100 firing in 3 rules');
  await rowOf('in 3 min').click();
  await expect.poll(() => groups()).toHaveLength(3);
  expect(groups()[2]).toEqual(expect.arrayContaining(['MERI-103 49']));
  expect(inColumn('subject').filter((text) => text !== '')).toEqual(['MERI-103', 'MERI-103', 'MERI-101', 'NORD-110']);
});

test('each alert is in one tab, by what is left to do, and each tab has its number', async () => {
  const [first, second, third, ...others] = HUNDRED;
  if (first === undefined || second === undefined || third === undefined) return;
  const silences = [
    {
      ...{ id: 's', match: { rule_id: 'many', groups: ['MERI-103', 'MERI-104'] }, until: ago(-600), by: 'Ann' },
      ...{ at: ago(60), note: 'roll' },
    },
  ];
  const desk = await openAlerts(
    toAlerts(
      [
        { ...first, acknowledged, silenced_until: ago(-600) },
        { ...second, silenced_until: ago(-600) },
        { ...third, state: 'resolved' },
        ...others,
      ],
      { silences },
    ),
  );
  await expect.element(tab(/^Active 97$/)).toBeChecked();
  for (const [name, subject] of [
    [/^Acknowledged 1$/, 'MERI-101'],
    [/^Silenced 1$/, 'MERI-103'],
    [/^Resolved 1$/, 'NORD-110'],
  ] as const) {
    await tab(name).click();
    await expect.poll(() => inColumn('subject').filter((text) => text !== '')).toEqual([subject]);
  }
  await expectCount(button(/Acknowledge/), 0);
  await tab(/^Silenced/).click();
  await button('End the silence of rule many, 2 alerts').click();
  await expect.poll(() => desk.acts.map(([name]) => name)).toEqual(['endSilence']);
});

test('all alerts of a rule are acknowledged by one request, from the keyboard alone', async () => {
  const desk = await openAlerts(toAlerts(HUNDRED));
  await focusGrid();
  desk.act = (_, body) => {
    const { alerts } = body as { readonly alerts: readonly { readonly group: string }[] };
    const names = new Set(alerts.map(({ group: subject }) => subject));
    desk.alerts = toAlerts(HUNDRED.map((alert) => (names.has(alert.group) ? { ...alert, acknowledged } : alert)));
    return { count: alerts.length };
  };
  // Over the group of the critical rule and its alert to the group of the 96, which Space ticks together.
  await press('j', 'j', 'Space');
  await expectToContain(footer(), '96 ticked');
  await expectText(button(/^Acknowledge/), /^Acknowledge 96/);
  await press('a');
  await expect.element(page.getByLabelText('Note', { exact: true })).toHaveFocus();
  await press('o', 'k', 'Enter');
  await expect.element(tab(/^Acknowledged 96$/)).toBeVisible();
  expect(desk.acts).toHaveLength(1);
  expect(desk.acts[0]).toMatchObject(['acknowledgeAlerts', { note: 'ok', alerts: { length: 96 } }]);
  await expect.element(grid()).toHaveFocus();
  await expectText(footer(), '4 firing in 2 rules');
});

test('x ticks the active alert, s silences what is ticked until a time, for exactly these alerts', async () => {
  const desk = await openAlerts(toAlerts(HUNDRED));
  desk.act = () => ({ silences: [] });
  await focusGrid();
  await press('j', 'x', 'j', 'j', 'x', 'j', 'x', 'k', 'x');
  await expectToContain(footer(), '2 ticked');
  await press('s');
  await page.getByLabelText('For', { exact: true }).selectOptions('until …');
  await page.getByLabelText('Until').fill('12:15');
  await button(/^Silence$/).click();
  await expect
    .poll(() => desk.acts)
    .toEqual([
      [
        'silenceAlerts',
        {
          matches: [
            { rule_id: 'critical', group: 'MERI-103' },
            { rule_id: 'silent', group: 'HALC-102' },
          ],
          // It is 12:30, so the next one is tomorrow's.
          until: '2026-08-18T12:15:00.000Z',
          note: '',
        },
      ],
    ]);
});

test('an alert is opened beside the list with its worst orders and links to them then and now, and follows the keys', async () => {
  await openAlerts(toAlerts(HUNDRED));
  await focusGrid();
  await press('j', 'Enter');
  await expectText(drawer().getByRole('heading', { level: 2 }), 'Working orders of MERI-103: 61, over 40.');
  await expect.element(drawer().getByText('The worst 30 of 49 orders, at 12:25:00 UTC')).toBeVisible();
  const first = drawer().getByRole('group', { name: 'Orders' }).getByRole('row').nth(1);
  await expectToContain(first, '74.90');
  const href = (name: string) => drawer().getByRole('link', { name }).element().getAttribute('href') ?? '';
  // An address has the alias of an account, never its code.
  await expect.poll(() => href('These orders now')).toMatch(/^\/orders\?own=account%3Ais%3A\*a-\w+\*$/);
  expect(href('Book at 12:25:00')).toMatch(/^\/orders\?own=account.*&at=2026-08-17T12%3A25%3A00/);
  await press('j', 'j');
  await expectToContain(drawer().getByRole('heading', { level: 2 }), 'HALC-101');
  await press('Escape');
  await expectCount(drawer(), 0);
  await expect.element(grid()).toHaveFocus();
});

test('an opened alert is handed over, let go of and noted', async () => {
  const desk = await openAlerts(
    toAlerts([toAlert({ acknowledged, notes: [{ by: 'Bo', at: ago(30), text: 'called' }] })]),
    {
      at: '/rules?alert=many',
    },
  );
  await expectToContain(drawer(), 'Acknowledged by Ann, for Bo');
  await expectToContain(drawer(), 'called');
  await expect.element(tab(/^Acknowledged/)).toBeChecked();
  await drawer().getByRole('button', { name: 'Take or hand over' }).click();
  await drawer().getByLabelText('For').fill('Cem');
  await drawer().getByRole('button', { name: 'Acknowledge MERI-103' }).click();
  await drawer().getByRole('button', { name: 'Add note' }).click();
  await drawer().getByLabelText('Note', { exact: true }).fill('all good');
  await press('Enter');
  await drawer().getByRole('button', { name: 'End acknowledgement' }).click();
  const alerts = [{ rule_id: 'many', group: 'MERI-103' }];
  await expect
    .poll(() => desk.acts)
    .toEqual([
      ['acknowledgeAlerts', { alerts, note: '', assignee: 'Cem' }],
      ['noteAlerts', { alerts, note: 'all good' }],
      ['endAcknowledgements', { alerts }],
    ]);
});

test('the link of a notification opens the form, which alone acknowledges, and says so with the request', async () => {
  const desk = await openAlerts(toAlerts(HUNDRED), { at: '/rules?alert=critical&group=MERI-103&acknowledge=sealed' });
  await expect.element(drawer().getByLabelText('Note', { exact: true })).toHaveFocus();
  await expectText(drawer().getByRole('heading', { level: 2 }), 'Working orders of MERI-103: 61, over 40.');
  expect(desk.acts).toEqual([]);
  await press('Enter');
  const alerts = [{ rule_id: 'critical', group: 'MERI-103' }];
  await expect.poll(() => desk.acts).toEqual([['acknowledgeAlerts', { alerts, note: '', link: 'sealed' }]]);
  await expect.poll(address).toBe('/rules');
  await expect.element(drawer().getByRole('button', { name: 'Acknowledge…' })).toBeVisible();
});

test('the link of a notification about an alert that is not listed any more opens no form', async () => {
  await openAlerts(toAlerts(HUNDRED), { at: '/rules?alert=critical&group=MERI-999&acknowledge=sealed' });
  await expect.element(drawer().getByRole('button', { name: 'Acknowledge…' })).toBeVisible();
  await expectCount(drawer().getByLabelText('Note', { exact: true }), 0);
});

test('the filter and the order leave no account in the address', async () => {
  await openAlerts(toAlerts(HUNDRED));
  await press('/');
  await page.getByRole('searchbox').fill('meri');
  await expectText(footer(), '3 firing in 2 rules · 3 of 100 shown');
  await page.getByRole('radio', { name: 'By subject' }).click();
  await expect
    .poll(() => textsOf(grid().getBySelector('[data-group]')).map((text) => text.split('\n')[0]))
    .toEqual(['▾ MERI-101 · 1', '▾ MERI-103 · 2']);
  expect(address()).toBe('/rules?sort=subject');
});

test('ten thousand alerts are drawn as those in sight only', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => toAlert({ group: `A-${String(index)}` }));
  await openAlerts(toAlerts(many));
  await expectText(footer(), '10,000 firing in 1 rule');
  expect(grid().getByRole('row').elements().length).toBeLessThan(60);
  await focusGrid();
  await press('Control+End');
  await expect.poll(() => inColumn('subject')).toContain('A-9999');
});

test('the shift note is edited; one that has been changed meanwhile is not overwritten', async () => {
  const note = { text: 'MERI is back on Monday.', by: 'Dana', at: ago(600), version: 1 };
  const desk = await openAlerts(toAlerts([], { shift_note: note }));
  const shift = page.getByRole('region', { name: 'Shift note' });
  await expectToContain(shift, 'MERI is back on Monday.');
  await shift.getByRole('button', { name: 'Edit' }).click();
  await shift.getByRole('textbox').fill('MERI is back.');
  desk.act = () => {
    desk.alerts = toAlerts([], { shift_note: { ...note, by: 'Eli', text: 'Other', version: 2 } });
    return {};
  };
  await shift.getByRole('button', { name: 'Save note' }).click();
  await expectToContain(shift, 'Eli has changed the shift note meanwhile.');
  await shift.getByRole('button', { name: 'Replace it with mine' }).click();
  await shift.getByRole('button', { name: 'Save note' }).click();
  await expect
    .poll(() => desk.acts.map(([, body]) => body))
    .toEqual([
      { text: 'MERI is back.', before: 1 },
      { text: 'MERI is back.', before: 2 },
    ]);
});

test('who may not see all orders has no shift note', async () => {
  await openAlerts(toAlerts(HUNDRED, { may_edit_shift_note: false }));
  await expectText(footer(), '100 firing in 3 rules');
  await expectCount(page.getByRole('region', { name: 'Shift note' }), 0);
});

test('where nothing is watched, the list and the header say so', async () => {
  await openAlerts(toAlerts([], { rules: 0, rule_states: [] }));
  await expect.element(page.getByText('Nothing is watched.')).toBeVisible();
  await expect.element(page.getByRole('banner').getByText('No alerts set')).toBeVisible();
});

test('the list fits every width and is accessible; on a phone, an opened alert has the screen', async () => {
  await openAlerts(toAlerts(HUNDRED), { at: '/rules?alert=critical' });
  await expect.element(drawer().getByText('The worst 30 of 49 orders')).toBeVisible();
  await expectAccessible('main');
  await expectToFit(1_440, 1_024, 390);
  expect(drawer().element().getBoundingClientRect().width).toBe(390);
  await drawer().getByRole('button', { name: 'Close' }).click();
  await expect.element(grid()).toBeVisible();
});
