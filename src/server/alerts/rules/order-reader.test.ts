import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { createOrderReader, ORDERS_AT_ONCE } from './rule-topics.ts';

const [sample] = sampleResponses.ordersWorking;

function toList(orders: readonly (readonly [id: number, price: number])[]): string {
  return orders.map(([id, price]) => JSON.stringify({ ...sample, id: String(id), price })).join(',');
}

const order = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 2 }));

it('reads the same whether it was prepared, or for another list, or not at all, and however lists are compared', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(order, { maxLength: 8 }), fc.array(order, { maxLength: 8 }), fc.boolean()), {
        maxLength: 5,
      }),
      async (steps) => {
        const [prepared, plain] = [createOrderReader(), createOrderReader()];
        const compare = createRowReader('id');
        for (const [prepare, read, isCompared] of steps) {
          await prepared.prepare(toList(prepare), () => Promise.resolve());
          const step = isCompared ? compare([toList(read)]) : undefined;
          const [one, other] = [prepared.read(toList(read), step), plain.read(toList(read))].map(
            ({ orders, unreadable }) => [
              unreadable,
              ...orders.map(({ text, repetition: { twins } }) => [text, twins.others]),
            ],
          );
          expect(one).toEqual(other);
        }
      },
    ),
  );
});

it('lets others go on between two parts', async () => {
  const reader = createOrderReader();
  const list = toList(Array.from({ length: 2 * ORDERS_AT_ONCE + 1 }, (_, index) => [index + 1, 5]));
  let turns = 0;
  const prepare = () =>
    reader.prepare(list, () => {
      turns++;
      return Promise.resolve();
    });
  await prepare();
  expect(turns).toBe(3);
  reader.read(list);
  await prepare();
  expect(turns).toBe(3);
});
