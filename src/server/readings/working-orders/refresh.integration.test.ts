import { expect, test } from 'vitest';
import { responds } from '#testing/faults/behaviours.ts';
import { openFault } from '#testing/faults/open-fault.ts';
import { sampleResponses } from '#testing/sample-responses.ts';

const [spec] = sampleResponses.productSpecs;
const rejects = responds({ status: 400, body: 'More than 10,000 working orders match.' });
const listOf = (...orders: readonly object[]) => responds({ body: JSON.stringify(orders) });
const [order] = sampleResponses.ordersWorking;

test('orders that now fit into one response are read again, past the cached rejection', async () => {
  const fault = await openFault();
  // Syncs the clock for the signature.
  await fault.send();
  fault.venue.does(rejects, listOf(spec), listOf(order), listOf(), listOf(), listOf(order));
  const { body } = await fault.send('/api/desk/working');
  expect(JSON.parse(body.toString())).toMatchObject({
    complete: true,
    unproven: [],
    orders: [order],
    parts: [{ filter: {}, count: 1 }],
  });
  expect(fault.venue.requests.slice(1).map(({ target }) => target.replace(/^.*\/(working|product)/, ''))).toEqual([
    '',
    '/specs/',
    '?product_type=Future',
    '?product_type=Spread',
    '?product_type=Option',
    '',
  ]);
});

test('a product listed since the specifications were last read is read, too', async () => {
  const fault = await openFault();
  await fault.send();
  const [known, listed] = [
    { ...spec, product_id: 1, type: 'future' },
    { ...spec, product_id: 2, type: 'future' },
  ];
  fault.venue.does(listOf(known));
  await fault.send('/api/desk/products');
  fault.venue.does(
    rejects,
    listOf(known, listed),
    rejects,
    listOf(),
    listOf({ ...order, product_id: 2 }),
    rejects,
    listOf(),
    listOf(),
    rejects,
  );
  const { body } = await fault.send('/api/desk/working');
  expect(JSON.parse(body.toString())).toMatchObject({ orders: [{ product_id: 2 }] });
});

test('an empty list is not complete if the order history has working orders, whatever the filter', async () => {
  const fault = await openFault();
  await fault.send();
  fault.venue.does(listOf());
  expect(JSON.parse((await fault.send('/api/desk/working')).body.toString())).toMatchObject({ complete: true });
  fault.advance(60_000);
  fault.venue.does(responds({ body: JSON.stringify({ data: [order], pagination: { cursor: null } }) }));
  await fault.send('/api/orders');
  const read = async (query: string) => {
    fault.venue.does(listOf());
    return JSON.parse((await fault.send(`/api/desk/working${query}`)).body.toString()) as unknown;
  };
  const unproven = ['The order history has 1 working order that is not listed.'];
  expect(await read(`?account_id=${order.account_id}`)).toMatchObject({ complete: false, unproven });
  expect(await read('?account_id=none')).toMatchObject({ complete: true });
  expect(await read('')).toMatchObject({ complete: false, unproven });
});
