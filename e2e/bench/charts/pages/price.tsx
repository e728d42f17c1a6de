/** The Price screen, with its data in memory before the measurement. */
import { toRequestedRange } from '../../../../src/model/time/date-range.ts';
import { latestSessionOf } from '../../../../src/model/time/session.ts';
import { Providers } from '../../../../src/page/shell/providers.tsx';
import { PriceScreen } from '../../../../src/page/screens/price/price-screen.tsx';
import { createProduct } from './product.tsx';
import { countRectangles, register, untilPainted } from './stage.ts';

const rectangles = countRectangles();
const { parts, root, release } = createProduct();
const { queryClient, apiClient } = parts;
let least = Number.POSITIVE_INFINITY;

register({
  prepare: async () => {
    release();
    await import('../../../../src/page/kit/chart/lightweight-charts.tsx');
    const { queries } = apiClient;
    const { value } = await queryClient.query(queries.desk.products({}));
    const id = value.products[0]?.product_id;
    if (id === undefined) throw new Error('There is no product.');
    const range = toRequestedRange({ name: 'All' }, latestSessionOf(Date.now()), '1D');
    const prices = await queryClient.query(queries.venue.chartPrice({ id, ...range }));
    least = prices.value.length;
    await queryClient.query(queries.venue.chartVoi({ product_id: id, ...range }));
    await queryClient.query(queries.venue.trailingStats({ product_id: id }));
    // In Perpdesk the shell is mounted before any screen.
    root.render(<Providers {...parts}>{null}</Providers>);
  },
  show: () =>
    untilPainted(
      () => {
        root.render(
          <Providers {...parts}>
            <PriceScreen parameters={{ id: '1' }} />
          </Providers>,
        );
      },
      () => rectangles() > least,
    ),
  // Indicators are drawn later, each with its name in the legend.
  isWhole: () => {
    const legend = document.querySelector('[data-testid=legend]')?.textContent ?? '';
    return !location.search.includes('ind=') || legend.includes('ATR 14');
  },
});
