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
