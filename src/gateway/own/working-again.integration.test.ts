import { expect, test } from 'vitest';
import { answers } from '#testing/fault/behaviours.ts';
import { openFault } from '#testing/fault/open-fault.ts';
import { wireAnswers } from '#testing/wire-answers.ts';

const [spec] = wireAnswers.productSpecs;
const refused = answers({ status: 400, body: 'More than 10,000 working orders match.' });
const listOf = (...orders: readonly object[]) => answers({ body: JSON.stringify(orders) });
const [order] = wireAnswers.ordersWorking;

test('orders that fit into one answer by now are asked for once more, past the refusal that is remembered', async () => {
  const fault = await openFault();
  // Tells the time, for the signature.
  await fault.ask();
  fault.venue.does(refused, listOf(spec), listOf(order), listOf(), listOf(), listOf(order));
  const { body } = await fault.ask('/api/desk/working');
  expect(JSON.parse(body.toString())).toMatchObject({ complete: true, unproven: [], orders: [order], parts: [{ filter: {}, count: 1 }] });
  expect(fault.venue.requests.slice(1).map(({ target }) => target.replace(/^.*\/(working|product)/, ''))).toEqual([
    '',
    '/specs/',
    '?product_type=Future',
    '?product_type=Spread',
    '?product_type=Option',
    '',
  ]);
});

test('a product that was listed since the specifications were last read is asked for, too', async () => {
  const fault = await openFault();
  await fault.ask();
  const [known, listed] = [{ ...spec, product_id: 1, type: 'future' }, { ...spec, product_id: 2, type: 'future' }];
  fault.venue.does(listOf(known));
  await fault.ask('/api/desk/products');
  fault.venue.does(refused, listOf(known, listed), refused, listOf(), listOf({ ...order, product_id: 2 }), refused, listOf(), listOf(), refused);
  const { body } = await fault.ask('/api/desk/working');
  expect(JSON.parse(body.toString())).toMatchObject({ orders: [{ product_id: 2 }] });
});
