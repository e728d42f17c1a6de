import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import type { EvidenceSubject } from '#model/evidence/evidence.ts';
import type { EvidenceFile } from '#model/evidence/evidence-files.ts';
import { type EvidenceReader, makeEvidence, zipFiles } from '#page/panels/evidence/make-evidence.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';
import { compareReader, type CompareSubject } from '#page/panels/evidence/read-compare.ts';
import {
  historyReader,
  type HistorySubject,
  pastReader,
  type PastSubject,
  workingReader,
  type WorkingSubject,
} from '#page/panels/evidence/read-orders.ts';
import { priceReader, type PriceSubject } from '#page/panels/evidence/read-price.ts';
import { readCsv } from '#testing/read-csv.ts';
import { checkEvidence } from './check-evidence.ts';

let desk: StartedDesk;
const pause = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

function make<Subject extends EvidenceSubject>(reader: EvidenceReader<Subject>, subject: Subject, pseudonyms = false) {
  const origin = {
    title: 'Evidence',
    address: '/',
    subject,
    pseudonyms,
    versions: { page: 'test', desk: 'test' },
    exchange: { name: 'sandbox', env: 'sandbox', base_url: desk.venue.address },
  };
  return makeEvidence({
    reader,
    origin,
    pause,
    fetch: (target, init) => fetch(new URL(target, desk.server.address), init),
    now: () => Date.now(),
    timeout: (ms) => AbortSignal.timeout(ms),
    signal: new AbortController().signal,
    hash: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  });
}

const LIST = {
  filters: {},
  quick: '',
  columns: ['side', 'product', 'account', 'price', 'time'],
  zone: 'utc',
  narrow: false,
  venue_ahead_ms: 0,
} as const;
const WORKING: WorkingSubject = { screen: 'orders', ...LIST, sorts: [{ id: 'price', desc: true }], grouping: [] };
const QUERY = {
  symbol: '',
  product_id: '',
  product_type: '',
  clearing_member_code: '',
  account_id: '',
  connection_id: '',
  day: '',
  begin_time: '',
  end_time: '',
  order: 'desc',
} as const;
const HISTORY: HistorySubject = { screen: 'history', ...LIST, query: QUERY, pages: 3 };

function readJson(files: readonly EvidenceFile[], name: string): unknown {
  return JSON.parse(new TextDecoder().decode(files.find((file) => file.name === name)?.bytes));
}

async function listFailures(files: readonly EvidenceFile[]): Promise<readonly string[]> {
  const findings = await checkEvidence(await zipFiles(files, pause));
  expect(findings.length).toBeGreaterThan(5);
  return findings.flatMap(({ holds, sentence }) => (holds ? [] : [sentence]));
}

async function listCodes(): Promise<readonly string[]> {
  const response = await fetch(`${desk.api}/orders/working`);
  const orders = (await response.json()) as readonly Readonly<Record<string, string>>[];
  return [
    ...new Set(
      orders.flatMap(({ account_id: account = '', clearing_firm_code: firm = '', connection_id: connection = '' }) => [
        account,
        firm,
        connection,
      ]),
    ),
  ];
}

describe('evidence from the exchange', () => {
  it('of working orders holds, and has each row that the exchange gives', async () => {
    const { files, rows } = await make(workingReader, WORKING);
    expect(await listFailures(files)).toEqual([]);
    expect(rows).toBeGreaterThan(100);
    expect(readJson(files, 'proof.json')).toMatchObject({
      complete: true,
      rows,
      working_orders: rows,
      in_no_part: 0,
      in_several_parts: 0,
    });
    expect(readJson(files, 'answers/001.json')).toMatchObject({ complete: true });
  });

  it('of one account holds no order of another, and is complete by itself', async () => {
    const [account = '', ...others] = await listCodes();
    const filters = { account: { kind: 'is', texts: [account] }, side: { kind: 'is', texts: ['Bid'] } } as const;
    const { files, rows } = await make(workingReader, { ...WORKING, filters, query: { account_id: account } });
    expect(await listFailures(files)).toEqual([]);
    const { orders } = readJson(files, 'answers/001.json') as {
      readonly orders: readonly Readonly<Record<'account_id' | 'side', string>>[];
    };
    expect(new Set(orders.map((order) => order.account_id))).toEqual(new Set([account]));
    expect(rows).toBe(orders.filter(({ side }) => side === 'Bid').length);
    expect(readJson(files, 'proof.json')).toMatchObject({
      complete: true,
      working_orders: orders.length,
      parts: [{ filter: `account_id=${account}`, counted: orders.length }],
    });
    expect(readJson(files, 'manifest.json')).toMatchObject({
      filters: [`By the exchange: account_id is ${account}`, `Account is ${account}`, 'Side is Bid'],
    });
    // The clearing firm and connections in the evidence are those of its own orders.
    const accounts = others.filter((code) => /^[A-Z]+-\d+$/.test(code));
    expect(accounts.length).toBeGreaterThan(10);
    const texts = files.map(({ bytes }) => new TextDecoder().decode(bytes));
    expect(accounts.filter((code) => texts.some((text) => text.includes(code)))).toEqual([]);
  });

  it('of an earlier time holds with the market prices recorded then, of one account alone', async () => {
    const read = async (path: string): Promise<Readonly<Record<'read_to' | 'read_at', string | null>>> =>
      (await (await fetch(`${desk.api}${path}`)).json()) as Readonly<Record<'read_to' | 'read_at', string | null>>;
    await read('/product/data/');
    await expect
      .poll(
        async () => {
          await read('/desk/working');
          const { read_to: at } = await read('/desk/journal');
          return at === null ? null : (await read(`/desk/journal/prices?at=${at}`)).read_at;
        },
        { timeout: 30_000 },
      )
      .not.toBeNull();
    const [account = ''] = await listCodes();
    const subject: PastSubject = {
      ...{
        screen: 'past',
        ...LIST,
        columns: ['account', 'distance', 'underlying'],
        at: new Date().toISOString() as Instant,
      },
      ...{
        filters: { account: { kind: 'is', texts: [account] } },
        query: { account_id: account },
        sorts: [],
        grouping: [],
      },
    };
    const { files, rows } = await make(pastReader, subject);
    expect(rows).toBeGreaterThan(0);
    expect(await listFailures(files)).toEqual([]);
    expect(readJson(files, 'proof.json')).toMatchObject({ complete: true, rows, market_prices_missing: null });
    const csv = new TextDecoder().decode(files.find(({ name }) => name === 'rows.csv')?.bytes);
    const [names = [], ...lines] = readCsv(csv);
    expect(lines.some((line) => Number(line[names.indexOf('market_price_ticks')]) > 0)).toBe(true);
    expect(new Set(lines.map((line) => line[names.indexOf('set')]))).toEqual(new Set(['PAST complete']));
  });

  it('of the history holds, and its proof names each page', async () => {
    const { files } = await make(historyReader, HISTORY);
    expect(await listFailures(files)).toEqual([]);
    expect(readJson(files, 'proof.json')).toMatchObject({ pages: [{ has_cursor: true }, { has_cursor: true }, {}] });
  });

  it.each(['working orders', 'the history'])('of %s with pseudonyms holds, and no file has a code', async (list) => {
    const codes = await listCodes();
    const [account = ''] = codes;
    const filters = { account: { kind: 'is', texts: [account] } } as const;
    const { files, rows } = await (list === 'the history'
      ? make(historyReader, { ...HISTORY, filters, query: { ...QUERY, account_id: account } }, true)
      : make(workingReader, { ...WORKING, filters, query: { account_id: account } }, true));
    expect(rows).toBeGreaterThan(0);
    expect(await listFailures(files)).toEqual([]);
    const texts = files.map(({ bytes }) => new TextDecoder().decode(bytes));
    expect(codes.filter((code) => texts.some((text) => text.includes(code)))).toEqual([]);
    expect(texts.filter((text) => /"etag"/i.test(text))).toEqual([]);
  });

  it('of the funding comparison holds', async () => {
    const at = Date.now();
    const begin = new Date(at - 91 * 86_400_000).toISOString().slice(0, 10);
    const subject: CompareSubject = {
      screen: 'funding',
      begin_time: `${begin}T00:00:00Z` as CompareSubject['begin_time'],
      range: { name: '7d' },
      form: 'apr',
      side: 'long',
      rank_by: 'realised',
      sorts: [{ id: 'rank', desc: false }],
      columns: ['symbol', 'rank', 'settled', 'form', 'estimate', 'next', 'oi'],
      at,
      venue_at: at,
    };
    const { files, rows } = await make(compareReader, subject);
    expect(await listFailures(files)).toEqual([]);
    expect(rows).toBeGreaterThan(1);
  });

  it('of a price chart holds', async () => {
    const response = await fetch(`${desk.api}/desk/products`);
    const { products } = (await response.json()) as {
      readonly products: readonly { readonly product_id: number; readonly type: string }[];
    };
    const perpetual = products.find(({ type }) => type === 'perpetual');
    const range = { begin_time: '2026-01-01T00:00:00Z' as CompareSubject['begin_time'] };
    const subject: PriceSubject = {
      screen: 'price',
      product_id: String(perpetual?.product_id),
      period: '1W',
      range,
      current: range,
      whole_history: false,
      scale: 'linear',
    };
    const { files, rows } = await make(priceReader, subject);
    expect(await listFailures(files)).toEqual([]);
    expect(rows).toBeGreaterThan(3);
  });

  it('that cannot be made names the read that failed', async () => {
    const subject = { ...HISTORY, query: { ...QUERY, day: 'never' } };
    await expect(make(historyReader, subject)).rejects.toThrow(/^GET \/api\/orders\?/);
  });
});
