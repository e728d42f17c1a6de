/** The product's list of markets: drawn with nothing yet, then given all of its answers at once. */
import { Providers } from '../../../../src/app/providers.tsx';
import { MarketsScreen } from '../../../../src/views/markets/markets-screen.tsx';
import { createProduct } from './product.tsx';
import { offer, untilPainted } from './stage.ts';

/** The directory, volume, open interest, funding, trading data. */
const ANSWERS = 5;
/** The head is a row of the grid, too. */
const HEAD = 1;

const { parts, root, release, arrived } = createProduct();

offer({
  prepare: async () => {
    root.render(
      <Providers {...parts}>
        <MarketsScreen />
      </Providers>,
    );
    while (arrived() < ANSWERS) await new Promise((resolve) => setTimeout(resolve, 20));
  },
  show: () => untilPainted(release, () => document.querySelector('[role=gridcell]') !== null),
  isWhole: () => Number(document.querySelector('[role=grid]')?.ariaRowCount) === Number(document.querySelector('footer b')?.textContent) + HEAD,
});
