import { expect, test } from 'vitest';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { toOrderFilter, type Pairs } from '#server/core/order-rows.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { createOrderConflicts } from './order-conflicts.ts';
import { createFindOwn, type FindOwn } from './describe-working-set.ts';

type ReadFiltered = Parameters<FindOwn>[3];

const [WHOLE_READ, OWN_READ] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:07.000Z'];

const toRow = (id: number, account: string, firm: string): string =>
  JSON.stringify({
    id: String(id),
    account_id: account,
    clearing_firm_code: firm,
    connection_id: 'aa',
    product_id: id % 2,
  });
const ROWS = [toRow(1, 'A', 'X'), toRow(2, 'B', 'X'), toRow(3, 'C', 'Y'), toRow(4, 'A', 'X'), toRow(5, 'D', 'Y')];

function toText(rows: readonly string[], complete: boolean, at: string): string {
  return `{"complete":${String(complete)},"unproven":["More than 10,000 orders match product_id=7."],"parts":[],"round_seconds":40,"read_from":"${at}","read_to":"${at}","orders":[${rows.join(',')}]}`;
}

function createReader(isComplete: boolean): { readonly read: ReadFiltered; readonly filters: readonly Pairs[] } {
  const filters: Pairs[] = [];
  const read: ReadFiltered = (filter) => {
    filters.push(filter);
    return Promise.resolve({ text: toText(ROWS.filter(toOrderFilter(filter)), isComplete, OWN_READ) });
  };
  return { read, filters };
}

const scopeOf = (accounts: readonly string[], firms: readonly string[] = []) => ({
  accounts: new Set(accounts),
  firms: new Set(firms),
  connections: new Set<string>(),
});
/** Here the reading for all found only the orders of A. */
const UNPROVEN = { text: toText(ROWS.slice(0, 1), false, WHOLE_READ) };

async function findOwn(
  read: ReadFiltered,
  accounts: readonly string[],
  firms: readonly string[] = [],
  filter: Pairs = [],
  whole = UNPROVEN,
  missing: readonly string[] = [],
): Promise<DeskWorking> {
  const { text } = await createFindOwn(() => missing)(
    whole,
    { scope: scopeOf(accounts, firms), entitlement: JSON.stringify([accounts, firms]) },
    filter,
    read,
  );
  return JSON.parse(text) as DeskWorking;
}

const idsOf = ({ orders }: DeskWorking): readonly string[] => orders.map(({ id }) => id);

test('one’s own orders are read and proven on their own where those of all are not, each once', async () => {
  const { read, filters } = createReader(true);
  const found = await findOwn(read, ['A', 'B'], ['X']);
  expect(filters).toEqual([[['clearing_member_code', 'X']], [['account_id', 'A']], [['account_id', 'B']]]);
  expect(idsOf(found).toSorted()).toEqual(['1', '2', '4']);
  expect(found).toMatchObject({
    complete: true,
    unproven: [],
    parts: [{ filter: {}, count: 3, read_at: OWN_READ }],
    round_seconds: null,
    read_from: OWN_READ,
    read_to: OWN_READ,
  });
});

test('what they are is the same as where nobody else has any', async () => {
  const alone = { text: toText(ROWS.filter(toOrderFilter([['account_id', 'A']])), true, OWN_READ) };
  for (const filter of [[], [['product_id', '0']]] as const) {
    expect(await findOwn(createReader(true).read, ['A'], [], filter)).toEqual(
      await findOwn(createReader(true).read, ['A'], [], filter, alone),
    );
  }
});

test('a viewer of no account is not left in doubt by the orders of others', async () => {
  expect(await findOwn(createReader(true).read, [])).toMatchObject({
    complete: true,
    orders: [],
    parts: [{ count: 0, read_at: WHOLE_READ }],
  });
});

test('nothing more is read where all are proven, where own reads would be too many, or where they fail', async () => {
  const { read, filters } = createReader(true);
  expect(await findOwn(read, ['A'], [], [], { text: toText(ROWS, true, WHOLE_READ) })).toMatchObject({
    complete: true,
    read_to: WHOLE_READ,
  });
  expect(await findOwn(read, ['A', 'E', 'F', 'G', 'H', 'I', 'J'])).toMatchObject({
    complete: false,
    orders: [{ id: '1' }],
  });
  expect(filters).toEqual([]);
  const failing: ReadFiltered = () => Promise.reject(new VenueFailure({ type: 'budget-spent', detail: '' }));
  expect(await findOwn(failing, ['A'])).toMatchObject({
    complete: false,
    unproven: ['The last reading could not be proven complete.'],
    orders: [{ id: '1' }],
  });
  await expect(findOwn(() => Promise.reject(new TypeError('a fault')), ['A'])).rejects.toThrow('a fault');
});

test('own orders that are too many as well are not called complete', async () => {
  expect(await findOwn(createReader(false).read, ['A'])).toMatchObject({
    complete: false,
    orders: [{ id: '1' }, { id: '4' }],
  });
});

test('of orders that are missing from the whole, a viewer is told how many of theirs are, and nothing else is read', async () => {
  const drop = JSON.stringify({ state: 'contradicted', orders: 40, working: 30 });
  const whole = { text: toText(ROWS.slice(0, 1), false, WHOLE_READ).replace('"parts"', `"drop":${drop},"parts"`) };
  const { read, filters } = createReader(true);
  const missing = ROWS.slice(1);
  expect(await findOwn(read, ['A'], ['X'], [], whole, missing)).toMatchObject({
    complete: false,
    drop: { state: 'contradicted', orders: 2, working: null },
    unproven: ['The list lacks orders that are working. 2 orders of the last complete reading are missing.'],
    orders: [{ id: '1' }],
  });
  expect(await findOwn(read, ['A'], ['X'], [['product_id', '1']], whole, missing)).toMatchObject({
    complete: false,
    drop: null,
  });
  expect(await findOwn(read, ['E'], [], [], whole, missing)).toMatchObject({
    complete: false,
    drop: null,
    unproven: ['The last reading could not be proven complete.'],
    orders: [],
  });
  expect(filters).toEqual([]);
});

const OWN = { order_id: '1', field: 'account_id' };

test('of orders in conflict, a viewer is told of their own, without values that may be of others', async () => {
  const found = createOrderConflicts();
  const readRow = createRowReader('id');
  const takeFrom = (account: string) => {
    found.take(readRow([[toRow(1, account, 'X'), ...ROWS.slice(1)].join(',')]), 0);
  };
  takeFrom('HALC-110');
  takeFrom('A');
  found.noteHistory(
    [
      { id: '1', account_id: 'HALC-110' },
      { id: '2', account_id: 'A' },
    ],
    0,
  );
  const conflicts = found.list();
  const whole = {
    text: toText(ROWS, true, WHOLE_READ).replace('"parts"', `"conflicts":${JSON.stringify(conflicts)},"parts"`),
  };
  const { read } = createReader(true);
  expect(await findOwn(read, ['A'], [], [], whole)).toHaveProperty('conflicts', [
    { ...OWN, differs_from: 'earlier reading', reason: 'Order 1: account_id changed, which cannot happen.' },
    {
      ...{ ...OWN, differs_from: 'order history' },
      reason: 'Order 1: account_id differs between the working orders and the order history.',
    },
  ]);
  expect(await findOwn(read, ['E'], [], [], whole)).not.toHaveProperty('conflicts');
});
