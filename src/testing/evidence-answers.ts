/**
 * Working orders of two accounts in two parts, and their product, as Perpdesk returns them. Nothing else is offered.
 */
const ORDER = {
  symbol: 'PBTCUCZ50',
  product_id: 1,
  product_type: 'Future',
  time: '2026-08-17T23:45:21.496334704Z',
  last_modified: '2026-08-17T23:45:21.496334704Z',
  clearing_firm_code: 'HOST',
  connection_id: '3f7a',
  open_ack_id: '1',
  price: 5,
  avg_price: null,
  quantity_requested: 3,
  quantity_filled: 0,
  status: 'Working',
  time_in_force: 'Day',
};
const part = (account: string) => ({ filter: { account_id: account }, count: 1, read_at: '2026-08-17T23:46:00.000Z' });

const WORKING = {
  ...{
    complete: true,
    unproven: [],
    parts: ['HALC-101', 'HALC-102'].map(part),
    read_from: '2026-08-17T23:46:00.000Z',
    read_to: '2026-08-17T23:46:00.000Z',
    round_seconds: 4,
  },
  orders: [
    { ...ORDER, id: '7674028327896836521', side: 'Bid', account_id: 'HALC-101' },
    { ...ORDER, id: '7674028327896836522', side: 'Ask', account_id: 'HALC-102' },
  ],
};
const PRODUCTS = {
  source: 'product/specs',
  read_at: '2026-08-17T00:00:00.000Z',
  products: [{ product_id: 1, symbol: 'PBTCUCZ50', type: 'perpetual', contract_size: 0.01, price_increment: 5 }],
};
const ALIASES = {
  aliases: [
    { kind: 'account', code: 'HALC-101', alias: 'a-one' },
    { kind: 'account', code: 'HALC-102', alias: 'a-two' },
    { kind: 'firm', code: 'HOST', alias: 'f-one' },
    { kind: 'connection', code: '3f7a', alias: 'c-one' },
  ],
};
const NOT_FOUND = {
  type: 'urn:perpdesk:problem:not-found',
  title: 'Not found at the exchange',
  status: 404,
  detail: 'The exchange does not offer this.',
  instance: 'r-1',
};

const BODIES: Readonly<Record<string, object>> = {
  '/api/desk/working': WORKING,
  '/api/desk/products': PRODUCTS,
  '/api/desk/aliases': ALIASES,
};

/** Creates a `fetch` that returns these responses. */
export function fetchSample(target: string): Promise<Response> {
  const body = BODIES[target];
  const init =
    body === undefined
      ? { status: 404, headers: { 'content-type': 'application/problem+json' } }
      : { headers: { 'content-type': 'application/json', 'etag': '"of-the-text"' } };
  return Promise.resolve(new Response(JSON.stringify(body ?? NOT_FOUND, null, 1), init));
}
