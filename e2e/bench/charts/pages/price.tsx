/** The product's price screen, with its figures in memory when the clock starts. */
import { toAskedRange } from '../../../../src/domain/chosen-range.ts';
import { latestSessionOf } from '../../../../src/domain/session.ts';
import { Providers } from '../../../../src/app/providers.tsx';
import { PriceScreen } from '../../../../src/views/price/price-screen.tsx';
import { createProduct } from './product.tsx';
import { countRectangles, offer, untilPainted } from './stage.ts';

const rectangles = countRectangles();
const { parts, root, release } = createProduct();
const { client, door } = parts;
let least = Number.POSITIVE_INFINITY;

offer({
  prepare: async () => {
    release();
    await import('../../../../src/ui/chart/lightweight-charts.tsx');
    const { queries } = door;
    const { value } = await client.query(queries.desk.products({}));
    const id = value.products[0]?.product_id;
    if (id === undefined) throw new Error('There is no product.');
    const range = toAskedRange({ name: 'All' }, latestSessionOf(Date.now()), '1D');
    const prices = await client.query(queries.venue.chartPrice({ id, ...range }));
    least = prices.value.length;
    await client.query(queries.venue.chartVoi({ product_id: id, ...range }));
    await client.query(queries.venue.trailingStats({ product_id: id }));
    // The shell loads a screen, so it stands before any is mounted.
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
});
