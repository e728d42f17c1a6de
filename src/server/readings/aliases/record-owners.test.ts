import { expect, it, vi } from 'vitest';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type Venue, type VenueRequest } from '#server/core/ports.ts';
import { recordOwners } from './record-owners.ts';

function open(text: string) {
  const response = {
    body: createBody([Buffer.from(text)]),
    contentType: 'application/json',
    answeredAt: 0,
    tag: '"a"',
  };
  const book = { add: vi.fn() };
  const venue = recordOwners({ read: () => Promise.resolve(response) } as unknown as Venue, book);
  const read = (name: EndpointName) => {
    const request: VenueRequest = {
      name,
      endpoint: ENDPOINTS[name],
      pathParameters: {},
      query: [],
      path: '/',
      rawQuery: '',
      target: '/',
    };
    return venue.read(request, { purpose: 'interactive', payers: DESK_ITSELF, signal: AbortSignal.timeout(1_000) });
  };
  return { response, book, read };
}

const ROW = { id: '7', account_id: 'NORD-105', clearing_firm_code: 'NORD' };

it('records the orders of a page of history', async () => {
  const { book, read } = open(JSON.stringify({ data: [ROW], pagination: { cursor: null } }));
  await read('orders');
  expect(book.add.mock.calls).toEqual([[[ROW]]]);
});

it('records nothing of other responses', async () => {
  const { book, read } = open(JSON.stringify([ROW]));
  await read('productSpecs');
  expect(book.add).not.toHaveBeenCalled();
});

it.each(['', '{', '{"data":7}', '{"data":[7]}'])('passes on %j, of which it records nothing', async (text) => {
  const { book, read, response } = open(text);
  expect(await read('orders')).toBe(response);
  expect(book.add).not.toHaveBeenCalled();
});
