import { beforeEach, expect, test } from 'vitest';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { responds } from '#testing/faults/behaviours.ts';
import { printsBefore, SCRIPTED, servesFunding, type FundingScript } from '#testing/faults/funding-script.ts';
import { openFault, type Fault } from '#testing/faults/open-fault.ts';

/** Which perpetuals are listed: those of the directory, of other responses, and of the store. */

const HOUR = 3_600_000;
let fault: Fault;
let script: FundingScript;

const perpetual = (base_symbol: string, product_id: number, product_status = 'active') => ({
  type: 'perpetual',
  base_symbol,
  product_id,
  product_status,
});
const trading = perpetual(SCRIPTED.baseSymbol, SCRIPTED.productId);

beforeEach(async () => {
  fault = await openFault();
  const boundary = Math.floor(Date.now() / (8 * HOUR)) * 8 * HOUR;
  // Far from a funding time, whenever the test runs.
  fault.advance(boundary + 4 * HOUR - Date.now());
  script = { rows: printsBefore(boundary, 3), maxRows: 10_000, failure: null, estimate: {}, products: [trading] };
  fault.venue.alwaysDoes(servesFunding(script));
});

async function readFunding(query = ''): Promise<DeskFunding> {
  const answer = await fault.send(`/api/desk/funding${query}`);
  expect(answer.status, answer.body.toString()).toBe(200);
  return JSON.parse(answer.body.toString()) as DeskFunding;
}

const readsOf = (productId: number) =>
  fault.venue.requests.filter(({ target }) => target.includes(`/funding-rates/?product_id=${String(productId)}`))
    .length;

test('a perpetual that could not be read is listed with the reason', async () => {
  script.products = [trading, perpetual('ETHUC', 2)];
  fault.venue.alwaysDoes((socket, request) => {
    (request.target.includes('product_id=2') ? responds({ status: 400, body: 'No.' }) : servesFunding(script))(
      socket,
      request,
    );
  });
  const [known, unknown] = (await readFunding()).perpetuals;
  expect(known).toMatchObject({ base_symbol: 'BTCUC', stale_because: null });
  expect(unknown).toEqual({
    ...{
      base_symbol: 'ETHUC',
      product_id: 2,
      prints: [],
      known_from: null,
      known_to: null,
      reaches_launch: false,
      left_out: 0,
      read_at: null,
      year_rank: null,
      revised: [],
    },
    stale_because: expect.stringContaining('No.') as string,
  });
});

test('a perpetual without settled rates is known from its launch', async () => {
  script.rows = [];
  expect((await readFunding()).perpetuals).toMatchObject([
    { base_symbol: 'BTCUC', prints: [], known_from: null, known_to: null, reaches_launch: true, stale_because: null },
  ]);
});

test('a perpetual that does not trade is not compared, but returned on request', async () => {
  script.products = [trading, perpetual('NEW', 2, 'forthcoming'), perpetual('OLD', 3, 'expired')];
  expect((await readFunding()).perpetuals.map(({ base_symbol }) => base_symbol)).toEqual(['BTCUC']);
  expect([readsOf(2), readsOf(3)]).toEqual([0, 0]);
  expect((await readFunding('?base_symbol=OLD')).perpetuals).toMatchObject([{ product_id: 3, stale_because: null }]);
  expect(readsOf(3)).toBe(1);
});

test('of a base symbol listed twice, the product that trades is returned', async () => {
  script.products = [
    perpetual(SCRIPTED.baseSymbol, 4, 'expired'),
    trading,
    perpetual(SCRIPTED.baseSymbol, 6, 'expired'),
  ];
  expect((await readFunding('?base_symbol=BTCUC')).perpetuals.map(({ product_id }) => product_id)).toEqual([
    SCRIPTED.productId,
  ]);
});

test('a delisted perpetual is returned from disk without a read', async () => {
  await readFunding();
  script.products = [perpetual('ETHUC', 2)];
  fault.advance(30 * HOUR);
  expect((await readFunding()).perpetuals.map(({ base_symbol }) => base_symbol)).toEqual(['ETHUC']);
  const [gone] = (await readFunding('?base_symbol=BTCUC')).perpetuals;
  expect(gone).toMatchObject({ product_id: SCRIPTED.productId, stale_because: null });
  expect(gone?.prints).toHaveLength(3);
  expect(readsOf(SCRIPTED.productId)).toBe(2);
  expect((await fault.send('/api/desk/funding?base_symbol=NEVER')).status).toBe(404);
});

test.each([
  ['is empty', {}, true],
  ['ignores the range', { ignoresRanges: true }, false],
])(
  'whether the history begins with the listing is confirmed only if the page before it %s',
  async (_, parts, isConfirmed) => {
    Object.assign(script, parts);
    expect((await readFunding()).perpetuals).toMatchObject([{ reaches_launch: isConfirmed, stale_because: null }]);
  },
);

test('a page before the history that could not be read confirms nothing, until it is read later', async () => {
  fault.venue.alwaysDoes((socket, request) => {
    (request.target.includes('end_time=') ? responds({ status: 400, body: 'No.' }) : servesFunding(script))(
      socket,
      request,
    );
  });
  expect((await readFunding()).perpetuals).toMatchObject([{ reaches_launch: false, stale_because: null }]);
  fault.venue.alwaysDoes(servesFunding(script));
  fault.advance(HOUR);
  await expect
    .poll(async () => (await readFunding()).perpetuals)
    .toMatchObject([{ reaches_launch: true, stale_because: null }]);
});
