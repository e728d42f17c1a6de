import { it } from 'vitest';
import { page } from 'vitest/browser';
import { changing, toRows } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { expectToContain } from '#testing/component/screen.ts';

const REASON = 'The contract is of 0.01 ETH, but its price is quoted in USD per BTC.';

const withDoubt = changing(
  /\/desk\/products$/,
  toRows((row) =>
    row['symbol'] === 'PBTCUCZ50' ? { ...row, doubts: [{ field: 'contract_size_unit', reason: REASON }] } : row,
  ),
);

it.each(['/', '/price/PBTCUCZ50', '/volume/5614', '/funding', '/funding/BTCUC', '/orders', '/orders/history'])(
  'a specification that contradicts itself is named on %s',
  async (address) => {
    await open(address, { change: withDoubt });
    const notice = page.getByRole('note').filter({ hasText: 'PBTCUCZ50: specification in doubt.' });
    await expectToContain(notice, REASON);
  },
);
