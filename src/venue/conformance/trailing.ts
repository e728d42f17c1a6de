import { areaOf, expectEach, expectSame, expectStatus, expectThat, need, type Check } from './check.ts';
import { busiestProduct } from './samples.ts';

const check = areaOf('trailing statistics');

export const trailingChecks: readonly Check[] = [
  check('interface', 'each product appears once', async (context) => {
    const ids = (await context.read('trailingStatsAll')).map(({ productId }) => String(productId));
    expectSame(new Set(ids).size, ids.length, 'number of distinct products, of rows');
    return `${String(ids.length)} products`;
  }),
  check('interface', 'products without trades are null, not zero, in both fields', async (context) => {
    const rows = await context.read('trailingStatsAll');
    expectEach(rows, 'both or neither', (row) => (row.volume === null) === (row.notionalVolume === null));
    expectEach(rows, 'null instead of zero', (row) => Number(row.volume ?? 1) > 0);
  }),
  check('interface', 'one product’s statistics equal its row among all products', async (context) => {
    const id = await busiestProduct(context);
    const path = context.probe.pathOf({ name: 'trailingStats', path: { product_id: id } });
    const before = await context.probe.send({ path });
    const all = await context.probe.send({ path: context.probe.pathOf({ name: 'trailingStatsAll' }) });
    const after = await context.probe.send({ path });
    for (const response of [before, all, after]) expectStatus(response, 200);
    if (before.text !== after.text) return 'not compared: the product traded meanwhile';
    const rows = JSON.parse(all.text) as readonly { readonly productId: number }[];
    const row = need(
      rows.find(({ productId }) => String(productId) === id),
      `row of product ${id}`,
    );
    expectSame(row, JSON.parse(before.text), 'row');
    return undefined;
  }),
  check('interface', 'only active products are listed', async (context) => {
    const specs = await context.read('productSpecs');
    const active = new Set(
      specs.filter((spec) => spec.product_status === 'active').map(({ product_id }) => String(product_id)),
    );
    const ids = (await context.read('trailingStatsAll')).map(({ productId }) => String(productId));
    expectSame(ids.toSorted(), [...active].toSorted(), 'products with statistics and active products');
    expectThat(ids.length > 0, 'no product is listed');
  }),
];
