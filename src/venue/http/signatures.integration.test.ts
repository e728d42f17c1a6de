import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { credential, openVenueApi, seesAll, sign, type OpenVenueApi, BASE } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { makeOrder, ours, START, theirs } from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  await small.accept([makeOrder(1), makeOrder(2), makeOrder(3, { account: theirs })]);
  api = await openVenueApi(small.exchange);
});

beforeEach(() => {
  small.setNow(START);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

const ORDERS = '/v1/prod/orders';
const NOON = '2026-08-17T17:00:00.000Z';

function headersOf(signature: string, timestamp = NOON, connectionId = '3f'): Record<string, string> {
  return { 'BTNL-CONNECTION-ID': connectionId, 'BTNL-AUTH-TIMESTAMP': timestamp, 'BTNL-SIGNATURE': signature };
}

/** Made by hand: printf '%s' "$message" | openssl dgst -sha256 -hmac "$token" -binary | base64 */
describe('a signature that OpenSSL made is accepted', () => {
  test.each([
    ['of no query', ORDERS, 'vbHhRPXNOwIV+Xk7r4G17KSm2KmQeyAH7Bdtjw4p9AM='],
    ['of a query', `${ORDERS}?symbol=PBTCUCZ50&limit=2`, '4FAHcQmmMoqp1H3ud5RUPPqqNKUG4XZxZIvNEeuxwls='],
    [
      'of an encoded query',
      `${ORDERS}?begin_time=2026-08-17T16%3A58%3A00Z&limit=2`,
      'TS9t2DNz29bgxJaW0zNSzN1d9Tfy7uF6tpwfZ727NO0=',
    ],
    [
      'of the same query, not encoded',
      `${ORDERS}?begin_time=2026-08-17T16:58:00Z&limit=2`,
      'nB2IUQpLYe84iyKSbSfWARrXHtUiyr9ZmORoee4c8l8=',
    ],
    ['of the working orders', `${ORDERS}/working?product_id=5614`, 'HKG1iiGTUzdd3WigXyHOq9wIaS5UtcTKjP8yl7FNkX0='],
  ])('%s', async (_, target, signature) => {
    const reply = await api.get(target, { headers: headersOf(signature) });
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'private, no-store']);
  });

  test('of HEAD', async () => {
    const headers = headersOf('ZVvDzVkKFlZsIwpPwFZnYBOgRb3ofBt+fZ2nYtpDYu8=');
    const [head, get] = [await api.get(ORDERS, { method: 'HEAD', headers }), await api.get(ORDERS, { headers })];
    expect([head.status, get.status]).toEqual([200, 401]);
  });

  test('with the connection id in upper case, signed as sent', async () => {
    const reply = await api.get(ORDERS, {
      headers: headersOf('jjuOjL2oe29n8h0DONgO+PuC3soNfU7tWOIasR1riKU=', NOON, '3F'),
    });
    expect(reply.status).toBe(200);
  });

  test('up to thirty seconds from the exchange’s clock, either way, and no further', async () => {
    const statuses = [];
    for (const [timestamp, signature] of [
      ['2026-08-17T16:59:30.000Z', 'oZf6mELAk3uQmJf34Awh5AxuoSUXmLtTT/phxcNw82k='],
      ['2026-08-17T16:59:29.999Z', 'mV+FixeU8P6TORgXOzLJs08ea1fnXancvYBYUseVTYk='],
      ['2026-08-17T17:00:30.000Z', 'e04k3oHP6i17xK2AkZvga/iQv05uO8n5pOTnnnl7U8s='],
      ['2026-08-17T17:00:30.001Z', 'adxaWvkEXy6pXtyoqms5Bw3E1ZopR5wjiSTy1De8Igc='],
    ] as const) {
      statuses.push((await api.get(ORDERS, { headers: headersOf(signature, timestamp) })).status);
    }
    expect(statuses).toEqual([200, 401, 200, 401]);
  });

  test('again within the window, but not after it', async () => {
    const headers = headersOf('vbHhRPXNOwIV+Xk7r4G17KSm2KmQeyAH7Bdtjw4p9AM=');
    const again = [await api.get(ORDERS, { headers }), await api.get(ORDERS, { headers })];
    small.setNow(START + 30_000_001);
    expect([...again, await api.get(ORDERS, { headers })].map(({ status }) => status)).toEqual([200, 200, 401]);
  });
});

test('the window is measured by the client’s clock, so it is longer on a faster exchange', async () => {
  const faster = await openVenueApi(small.exchange, { speed: 100 });
  const headers = headersOf('vbHhRPXNOwIV+Xk7r4G17KSm2KmQeyAH7Bdtjw4p9AM=');
  const statuses = [];
  for (const seconds of [-3_000, 3_000, 3_001]) {
    small.setNow(START + seconds * 1_000_000);
    statuses.push((await faster.get(ORDERS, { headers })).status);
  }
  await faster.close();
  expect(statuses).toEqual([200, 200, 401]);
});

describe('refused with 400 and a sentence', () => {
  const good = sign(ORDERS, credential, 'GET', START);

  test.each(Object.keys(good))('without %s', async (name) => {
    const others = Object.entries(good).filter(([other]) => other !== name);
    const reply = await api.get(ORDERS, { headers: Object.fromEntries(others) });
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(reply.text).toContain(name);
  });

  test.each([
    ['BTNL-CONNECTION-ID', ''],
    ['BTNL-CONNECTION-ID', 'xyz'],
    ['BTNL-CONNECTION-ID', '3f, 3f'],
    ['BTNL-CONNECTION-ID', '1'.repeat(65)],
    ['BTNL-AUTH-TIMESTAMP', '2026-08-17T17:00:00Z'],
    ['BTNL-AUTH-TIMESTAMP', '2026-08-17T17:00:00.000000Z'],
    ['BTNL-AUTH-TIMESTAMP', '2026-02-30T17:00:00.000Z'],
    ['BTNL-AUTH-TIMESTAMP', '1786986000000'],
    ['BTNL-SIGNATURE', ''],
    ['BTNL-SIGNATURE', 'vbHhRPXNOwIV'],
    ['BTNL-SIGNATURE', 'vbHhRPXNOwIV-Xk7r4G17KSm2KmQeyAH7Bdtjw4p9AM='],
    ['BTNL-SIGNATURE', 'vbHhRPXNOwIV+Xk7r4G17KSm2KmQeyAH7Bdtjw4p9AM'],
  ])('with %s "%s"', async (name, value) => {
    const reply = await api.get(ORDERS, { headers: { ...good, [name]: value } });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(name);
  });
});

describe('refused with 401 and nothing else', () => {
  test.each([
    ['a connection nobody has', sign(ORDERS, { ...credential, connectionId: 'dead' }, 'GET', START)],
    [
      'an unknown connection, with a token of zeros',
      sign(ORDERS, { connectionId: 'dead', token: '0'.repeat(64), accounts: null }, 'GET', START),
    ],
    ['another connection’s token', sign(ORDERS, { ...credential, token: seesAll.token }, 'GET', START)],
    ['a signature of another path', sign(`${ORDERS}/working`, credential, 'GET', START)],
    ['a signature of a query', sign(`${ORDERS}?limit=1`, credential, 'GET', START)],
    ['a signature of the path alone', sign(`${ORDERS}#`, credential, 'GET', START)],
    ['a token that was decoded', headersOf('j8OeiSeAT2WxNYVZ7t3DT/16XDu9Ix/BzItDGWgwkVs=')],
    ['the same bits written another way', headersOf('vbHhRPXNOwIV+Xk7r4G17KSm2KmQeyAH7Bdtjw4p9AN=')],
  ])('%s', async (_, headers) => {
    const reply = await api.get(ORDERS, { headers });
    expect([reply.status, reply.text, reply.headers['content-length']]).toEqual([401, '', '0']);
  });

  test('before the parameters are checked', async () => {
    const reply = await api.get(`${ORDERS}?colour=red`, { headers: sign(ORDERS, credential, 'GET', START) });
    expect(reply.status).toBe(401);
  });
});

test('public endpoints require no signature and ignore any', async () => {
  const replies = [
    await api.get('/web/charts/voi'),
    await api.get('/web/charts/voi', { headers: headersOf('nonsense', 'nonsense', 'nonsense') }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
});

describe('a connection sees the orders of its accounts', () => {
  const accountsIn = (text: string) =>
    [...text.matchAll(/"account_id":"([^"]+)"/g)].map(([, account]) => account).sort();

  test.each([ORDERS, `${ORDERS}/working`])('and of no other, in %s', async (target) => {
    const [mine, all] = [await api.getSigned(target), await api.getSigned(target, seesAll)];
    expect(accountsIn(mine.text)).toEqual([ours.id, ours.id]);
    expect(accountsIn(all.text)).toEqual([ours.id, ours.id, theirs.id]);
  });

  test.each([ORDERS, `${ORDERS}/working`])(
    'so that somebody else’s account looks like one that does not exist, in %s',
    async (target) => {
      const hidden = await api.getSigned(`${target}?account_id=${theirs.id}`);
      const unknown = await api.getSigned(`${target}?account_id=NOSUCH-1`);
      expect([hidden.status, accountsIn(hidden.text)]).toEqual([200, []]);
      expect(hidden.text.length).toBe(unknown.text.length);
      const byFirm = await api.getSigned(`${target}?clearing_member_code=NORD`);
      const byConnection = await api.getSigned(`${target}?connection_id=a0`);
      expect([accountsIn(byFirm.text), accountsIn(byConnection.text)]).toEqual([[], []]);
    },
  );
});

test('the signed path is the one on the request line, with or without a host', async () => {
  const headers = Object.entries(sign(ORDERS, credential, 'GET', START)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const reply = await api.sendRaw(
    `GET http://venue.example${BASE}${ORDERS} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers.join('')}\r\n`,
  );
  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
});
