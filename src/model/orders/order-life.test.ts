import { expect, it } from 'vitest';
import type { OrderChange } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { describeChange, isUnexplained, nameChange, type OrderLife, toLifeChanges, toLifeLine } from './order-life.ts';

const DAY = '2026-08-18T';
const START = `${DAY}09:00:00Z` as Instant;

function at(time: string): Instant {
  return `${DAY}${time}Z` as Instant;
}

function order(fields: object = {}) {
  const [one] = readOrders([
    { product_id: 4, price: 120, quantity_requested: 10, quantity_filled: 0, avg_price: null, ...fields },
  ]);
  if (one === undefined) throw new Error('no order');
  return one;
}

function change(
  kind: OrderChange['kind'],
  time: string,
  fields: object = {},
  changed: readonly string[] = [],
): OrderChange {
  const one = order(fields);
  return {
    kind,
    order_id: one.id,
    read_after: START,
    read_by: at(time),
    fields: changed,
    before: null,
    order: one,
  } as OrderChange;
}

function life(changes: readonly OrderChange[], rest: Partial<OrderLife> = {}): OrderLife {
  return { kept_from: START, read_to: at('12:00:00'), before: null, changes: [...changes], ...rest };
}

function sentences(given: OrderLife, productId = 4): readonly string[] {
  const [row] = toRows(readOrders([{ product_id: productId }]));
  if (row === undefined) throw new Error('no row');
  return toLifeChanges(given).map((one) =>
    [nameChange(one), ...describeChange(one, row).map(({ name, text }) => `${name} ${text}`)]
      .filter((text) => text !== null)
      .join(', '),
  );
}

const FILLS = [
  change('seen', '09:10:00'),
  change('changed', '09:20:00', { quantity_filled: 2, avg_price: 119.5 }, [
    'last_modified',
    'avg_price',
    'quantity_filled',
  ]),
  change('changed', '09:30:00', { quantity_filled: 2, avg_price: 119.5, price: 125 }, ['price']),
  change('gone', '09:40:00', { quantity_filled: 2, avg_price: 119.5, price: 125 }),
  change('ended', '09:50:00', { quantity_filled: 10, avg_price: 124, price: 125, status: 'Closed' }),
];

it('each change is a sentence in the unit of the screen', () => {
  expect(sentences(life(FILLS))).toEqual([
    'First seen, Price 120 ticks, Filled 0 of 10',
    'Filled 0 → 2 of 10, Avg price – → 119.5 ticks',
    'Price 120 → 125 ticks',
    'No longer working',
    'Filled, Filled qty 2 → 10 of 10',
  ]);
});

it('prices are in USD where the tick size is known, and in ticks where it is withheld', () => {
  const changed = (id: number) =>
    life([
      change('seen', '09:10:00', { product_id: id }),
      change('changed', '09:11:00', { product_id: id, price: 125 }, ['price']),
    ]);
  expect(sentences(changed(1), 1)[1]).toBe('Price 6.00 → 6.25 USD');
  expect(sentences(changed(3), 3)[1]).toBe('Price 120 → 125 ticks');
});

it('filled quantities rise as steps; what filled last was filled when the order was gone', () => {
  const changes = toLifeChanges(life(FILLS));
  expect(toLifeLine(changes, at('12:00:00'))).toEqual({
    start: Date.parse(at('09:10:00')),
    end: Date.parse(at('09:40:00')),
    most: 10,
    priceChanges: [Date.parse(at('09:30:00'))],
    spans: [
      {
        steps: [
          { at: Date.parse(at('09:10:00')), filled: 0, requested: 10 },
          { at: Date.parse(at('09:20:00')), filled: 2, requested: 10 },
          { at: Date.parse(at('09:40:00')), filled: 10, requested: 10 },
        ],
        end: Date.parse(at('09:40:00')),
        isOpen: false,
      },
    ],
  });
  expect(changes.map(({ sinceMs }) => sinceMs)).toEqual([null, 600_000, 600_000, 600_000, 600_000]);
  expect(isUnexplained(changes)).toBe(false);
  expect(isUnexplained(changes.slice(0, 4))).toBe(true);
});

it('an order that is working reaches to the last reading, and one that was gone and is back has two spans', () => {
  const changes = toLifeChanges(
    life([change('seen', '09:10:00'), change('gone', '09:20:00'), change('seen', '09:40:00', { price: 130 })]),
  );
  const line = toLifeLine(changes, at('12:00:00'));
  expect(line?.spans.map(({ steps, end, isOpen }) => [steps[0]?.at, end, isOpen])).toEqual([
    [Date.parse(at('09:10:00')), Date.parse(at('09:20:00')), false],
    [Date.parse(at('09:40:00')), Date.parse(at('12:00:00')), true],
  ]);
  expect(
    sentences(
      life([change('seen', '09:10:00'), change('gone', '09:20:00'), change('seen', '09:40:00', { price: 130 })]),
    )[2],
  ).toBe('Seen again, Price 120 → 130 ticks');
});

it('an order that is listed again had not gone: its line goes on', () => {
  const given = life([
    change('seen', '09:10:00'),
    change('gone', '09:20:00'),
    change('returned', '09:40:00', { quantity_filled: 2 }),
  ]);
  const line = toLifeLine(toLifeChanges(given), at('12:00:00'));
  expect(line?.spans.map(({ steps, end, isOpen }) => [steps.map((step) => step.at), end, isOpen])).toEqual([
    [[Date.parse(at('09:10:00')), Date.parse(at('09:40:00'))], Date.parse(at('12:00:00')), true],
  ]);
  expect(sentences(given)[2]).toBe('Listed again: it had not gone, Filled 0 → 2 of 10');
});

it('an order that was working when the journal began is known from then on', () => {
  const given = life([], { before: order({ quantity_filled: 3, avg_price: 120 }) });
  expect(sentences(given)).toEqual(['Working when the journal began, Price 120 ticks, Filled 3 of 10']);
  expect(toLifeLine(toLifeChanges(given), at('12:00:00'))).toMatchObject({
    start: Date.parse(START),
    spans: [{ isOpen: true }],
  });
  expect(sentences(life([{ ...change('seen', '09:00:00'), read_after: null }]))[0]).toMatch(
    /^First seen when the journal began/,
  );
});

it('the end alone has no line', () => {
  const changes = toLifeChanges(life([change('ended', '09:50:00', { status: 'Closed' })]));
  expect(toLifeLine(changes, at('12:00:00'))).toBeNull();
  expect(toLifeLine([], null)).toBeNull();
});

it('a quantity that is withheld is n/a in a sentence, and no height', () => {
  const impossible = { quantity_filled: 11 };
  const given = life([change('seen', '09:10:00'), change('changed', '09:20:00', impossible, ['quantity_filled'])]);
  expect(sentences(given)[1]).toBe('Filled 0 → n/a of 10');
  expect(toLifeLine(toLifeChanges(given), null)?.spans[0]?.steps[1]?.filled).toBeNull();
});

it('other fields are named as on the screen, and unknown ones as they came', () => {
  const given = life([
    change('seen', '09:10:00'),
    change('changed', '09:20:00', { time_in_force: 'Day', quantity_requested: 1_200 }, [
      'time_in_force',
      'quantity_requested',
      'odd_field',
    ]),
    change('changed', '09:30:00', { time_in_force: 'Day', quantity_requested: 1_200 }, ['last_modified']),
  ]);
  expect(sentences(given).slice(1)).toEqual([
    'Quantity 10 → 1,200 contracts, Time in force GTC → Day, odd_field –',
    'Changed',
  ]);
});

it('of an order that came and went, it shows how it ended, and when it was working by the exchange’s clock', () => {
  const fields = {
    time: at('09:30:00'),
    last_modified: at('09:30:02'),
    status: 'Closed',
    quantity_filled: 10,
    avg_price: 120,
  };
  const changes = toLifeChanges(life([change('passed', '09:40:00', fields)]));
  expect(sentences(life([change('passed', '09:40:00', fields)]))[0]).toMatch(
    /^Came and went between two readings, from order history: Filled, Price .*, Filled 10 of 10$/,
  );
  expect(toLifeLine(changes, at('12:00:00'))).toMatchObject({
    start: Date.parse(at('09:30:00')),
    end: Date.parse(at('09:30:02')),
    spans: [{ isOpen: false, steps: [{ filled: 10, requested: 10 }] }],
  });
});
