import { expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { answerOf } from '#testing/component/past-desk.ts';
import { chart, findRows, legend, openPrice } from '#testing/component/price-page.ts';
import { address, expectCount, press, textsOf } from '#testing/component/screen.ts';

const FROM = '?range=3M';

function toRule(id: string, comparison: string, value: number) {
  return {
    ...{ id, name: `Rule ${id}`, enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
    ...{ about: 'market', measure: 'price', filter: { symbol: 'PBTCUCZ50' }, comparison, value, unit: 'USD' },
  };
}

const TRIAL = {
  ...{ sentence: 'When it crosses, raise a warning.', now: [], watches: '1 product', watches_nothing: null },
  ...{ no_data: null, not_tried: 'Prices are not stored.', tried_from: null, tried_to: null, gaps: [], firings: [] },
};

/** Answers as a desk with these rules, to which others can be added. */
function deskOf(...given: readonly object[]) {
  let rules = given;
  return (target: string, { body }: RequestInit) => {
    if (target === '/api/desk/rules/try') return answerOf(target, TRIAL);
    if (target === '/api/desk/calls') return answerOf(target, { delivers: true, channels: [] });
    if (target === '/api/desk/alerts') return answerOf(target, { ...ALERTS, rules: rules.length });
    if (target !== '/api/desk/rules') return null;
    if (typeof body === 'string') rules = [...rules, (JSON.parse(body) as { readonly rule: object }).rule];
    return answerOf(target, typeof body === 'string' ? { count: 1, ids: ['new'] } : { rules });
  };
}

const ALERTS = {
  ...{ evaluates: true, evaluated_at: '2026-08-17T12:30:00.000Z', rule_states: [], last_fired: [], silences: [] },
  ...{ may_edit_shift_note: true, shift_note: null, alerts: [], failing_channels: [] },
};

const note = (): Locator => page.getBySelector('main').getByRole('link', { name: /USD$/ });
const switchOf = (): Locator => page.getByRole('checkbox', { name: 'Rules', exact: true });

const MUTED = [77, 87, 102];
/** A dashed line across the pane has this in one row, and words have not. */
const DASHES_PX = 200;
const countLines = (): number => findRows(MUTED, DASHES_PX).length;

it('levels of rules are lines in the chart, which are listed below it and hidden there', async () => {
  const desk = deskOf(toRule('high', 'over', 112_000), toRule('far', 'under', 9_000), toRule('low', 'under', 108_000));
  await openPrice(FROM, { answer: desk });
  await expect.poll(() => textsOf(note())).toEqual(['over 112,000 USD', 'under 108,000 USD', 'under 9,000 USD']);
  await expect.element(note().first()).toHaveAttribute('href', '/rules/edit/high');
  // The third is outside of the scale.
  await expect.poll(countLines).toBe(2);
  await switchOf().click();
  await expect.poll(countLines).toBe(0);
  expect(new URLSearchParams(location.search).get('hide')).toBe('Settlement,Rules');
  await switchOf().click();
  await expect.poll(countLines).toBe(2);
});

it('without rules about the product nothing is said, and without any rule nothing is read', async () => {
  const { requested } = await openPrice(FROM);
  expect(requested).not.toContain('/api/desk/rules');
  await expectCount(switchOf(), 0);
});

it('a rule made from the chart leads back to it, where its level is', async () => {
  await openPrice(FROM, { answer: deskOf() });
  (chart().element() as HTMLElement).focus();
  await press('End', 'ArrowLeft', 'a');
  await expect.element(page.getByRole('link', { name: 'Back to the chart' })).toBeVisible();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect.poll(address).toBe(`/price/PBTCUCZ50${FROM}`);
  await expect.poll(() => textsOf(note())).toEqual([expect.stringMatching(/^crosses [\d,.]+ USD$/)]);
});

it('below the pane of prices, there is no level for a rule, and this is said', async () => {
  await openPrice(FROM, { answer: deskOf() });
  const { width, height } = chart().element().getBoundingClientRect();
  await userEvent.hover(chart(), { position: { x: width / 3, y: height * 0.8 } });
  await expect.element(legend()).toHaveAttribute('data-pointed', 'true');
  await userEvent.keyboard('a');
  await expect.element(page.getByText(/^No alert here: the crosshair is at no price/).first()).toBeVisible();
  expect(address()).toBe(`/price/PBTCUCZ50${FROM}`);
});

it('the form of a rule leads to no other address than that of a chart', async () => {
  await open('/rules/new?product=PBTCUCZ50&price=110000&back=%2F%2Felsewhere.example', { answer: deskOf() });
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect.poll(address).toBe('/rules?show=rules');
});
