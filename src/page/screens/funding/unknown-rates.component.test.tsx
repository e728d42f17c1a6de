import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { open, type Change } from '#testing/component/mount.tsx';
import { expectCount, expectText } from '#testing/component/screen.ts';
import { cellOf, changePerpetuals } from '#testing/component/funding-page.ts';

const NOT_READ = {
  prints: [],
  known_from: null,
  known_to: null,
  reaches_launch: false,
  read_at: null,
  stale_because: 'The exchange did not answer in time.',
};
const NOT_SETTLED = { prints: [], known_from: null, known_to: null, reaches_launch: true, stale_because: null };

/** Changes what Perpdesk knows about one perpetual. */
function know(known: object): Change {
  return changePerpetuals((perpetual) => (perpetual.base_symbol === 'BTCUC' ? { ...perpetual, ...known } : perpetual));
}

it('counts settled rates that could not be read as no gaps, and gives the reason', async () => {
  await open('/funding', { change: know(NOT_READ) });
  await expect.element(page.getByText('BTCUC: the latest settled rates could not be read.')).toBeVisible();
  await expectText(cellOf('BTCUC', 'coverage'), '0 of 21');
  await expectText(cellOf('BTCUC', 'gaps'), '0');
});

it('counts no gaps where nothing has settled yet', async () => {
  await open('/funding', { change: know(NOT_SETTLED) });
  await expectText(cellOf('BTCUC', 'coverage'), '0 of 0, new');
  await expectText(cellOf('BTCUC', 'gaps'), '0');
});

it.each(['/funding', '/funding/BTCUC'])('counts rows that are no settled rates at %s', async (path) => {
  await open(path, { change: know({ left_out: 2 }) });
  await expect
    .element(page.getByRole('main').getByText('2 rows from the exchange failed validation and are left out.'))
    .toBeVisible();
});

it.each([
  ['could not be read', NOT_READ, 'Settled rates of BTCUC could not be read'],
  ['has settled nothing yet', NOT_SETTLED, 'BTCUC has no settled rate yet'],
  [
    'has settled nothing in the range',
    { prints: [], known_from: '2020-01-01T00:00:00Z', known_to: '2021-01-01T00:00:00.000000000Z' },
    'No valid settled rate in this range',
  ],
] as const)('shows as its empty state that a perpetual %s', async (_, known, title) => {
  await open('/funding/BTCUC', { change: know(known) });
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
  await expectCount(page.getByText(/1969-|19[67]\d UTC/), 0);
});
