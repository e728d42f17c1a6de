/** The Markets screen: mounted without data, then given all its responses at once. */
import { Providers } from '../../../../src/page/shell/providers.tsx';
import { MarketsScreen } from '../../../../src/page/screens/markets/markets-screen.tsx';
import { createProduct } from './product.tsx';
import { register, untilPainted } from './stage.ts';

/** Products, volume, open interest, funding, trading data. */
const RESPONSES = 5;
/** The grid counts its header as a row. */
const HEADER_ROWS = 1;

const { parts, root, release, arrived } = createProduct();

register({
  prepare: async () => {
    root.render(
      <Providers {...parts}>
        <MarketsScreen />
      </Providers>,
    );
    while (arrived() < RESPONSES) await new Promise((resolve) => setTimeout(resolve, 20));
  },
  show: () => untilPainted(release, () => document.querySelector('[role=gridcell]') !== null),
  isWhole: () =>
    Number(document.querySelector('[role=grid]')?.ariaRowCount) ===
    Number(document.querySelector('footer b')?.textContent) + HEADER_ROWS,
});
