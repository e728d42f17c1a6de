import { type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser, type Parser } from '#contract/parse/parse.ts';
import { createRowCheck, type RowCheck } from '#contract/parse/row-check.ts';
import { isTooManyWorkingOrders } from '#contract/exchange/rejections.ts';
import type { Static } from '#contract/exchange/schema.ts';
import type { Credential, Probe, ProbeRequest, ProbeResponse, Query } from './probe.ts';

/**
 * The source of a rule: the interface document, observations of the real exchange, or a decision of our own exchange.
 */
export type RuleSource = 'interface' | 'venue facts' | 'decision';

export interface Check {
  readonly area: string;
  readonly title: string;
  readonly source: RuleSource;
  /** Returns a remark for the report, or undefined. */
  readonly run: (context: Context) => Promise<string | undefined>;
}

/** The exchange breaks the rule. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The rule cannot be checked here; the message says why. */
export class Skipped extends Error {
  override readonly name = 'NotTried';
}

export interface Context {
  readonly probe: Probe;
  /** Null if Perpdesk signs the requests; rules about signatures then cannot be checked. */
  readonly credential: Credential | null;
  /**
   * Returns the response to a valid request. Fails unless it is a 200 that matches the schema exactly and whose rows
   * match the request.
   */
  readonly read: Read;
  /** Like `read`, but never reuses an earlier response. */
  readonly readAgain: Read;
}

type Read = <Name extends EndpointName>(name: Name, request?: Omit<ProbeRequest, 'name'>) => Promise<ResponseOf<Name>>;

type ResponseOf<Name extends EndpointName> = Static<(typeof ENDPOINTS)[Name]['response']>;

export function createContext(probe: Probe, credential: Credential | null): Context {
  const parsers = new Map<EndpointName, Parser<unknown>>();
  const parserOf = (name: EndpointName): Parser<unknown> => {
    const parser = parsers.get(name) ?? createParser(ENDPOINTS[name].response);
    parsers.set(name, parser);
    return parser;
  };
  const readWith =
    (send: Probe['request']): Read =>
    async (name, rest = {}) => {
      const response = await send({ name, ...rest });
      if (response.status === 404 && ENDPOINTS[name].optional) throw new Skipped(`the exchange does not offer ${name}`);
      if (name === 'ordersWorking' && isTooMany(response))
        throw new Skipped('more orders are working than one response may hold');
      expectStatus(response, 200);
      const rows = createRowCheck(
        ENDPOINTS[name],
        [...Object.entries(rest.path ?? {}), ...(rest.query ?? [])],
        probe.now(),
      );
      return readStrictly(parserOf(name), response, rows) as ResponseOf<typeof name>;
    };
  return { probe, credential, read: readWith(probe.request), readAgain: readWith(probe.requestAgain) };
}

/** Whether the exchange rejected the request because more orders are working than the interface allows. */
export function isTooMany({ status, text }: Pick<ProbeResponse, 'status' | 'text'>): boolean {
  return isTooManyWorkingOrders(status, text);
}

function readStrictly(parser: Parser<unknown>, response: ProbeResponse, check: RowCheck): unknown {
  const [first] = parser.tolerant(response.text, check).deviations;
  try {
    const value = parser.strict(response.text);
    if (first === undefined) return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 3).join('; ') : String(error);
    throw new Failure(`${response.requestLine}: ${reason}`);
  }
  throw new Failure(
    `${response.requestLine}: ${first.path}: ${first.kind}, expected ${first.expected}, found ${first.found}`,
  );
}

/** Returns a factory for the checks of one area. */
export function areaOf(area: string) {
  return (
    source: RuleSource,
    title: string,
    run: (context: Context) => Promise<string | undefined> | Promise<void>,
  ): Check => ({
    area,
    source,
    title,
    run: async (context) => (await run(context)) ?? undefined,
  });
}

export function expectStatus(response: ProbeResponse, ...statuses: readonly number[]): void {
  expectThat(
    statuses.includes(response.status),
    `${response.requestLine} returned ${String(response.status)}, expected ${statuses.join(' or ')}`,
  );
}

export function expectThat(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Failure(sentence);
}

/** Expects a rule to hold for every row. The failure names the first row that breaks it. */
export function expectEach<Row>(rows: readonly Row[], rule: string, holds: (row: Row, index: number) => boolean): void {
  const index = rows.findIndex((row, at) => !holds(row, at));
  if (index >= 0) throw new Failure(`${rule}: row ${String(index)} violates this: ${JSON.stringify(rows[index])}`);
}

/**
 * Expects rows to be sorted. The failure names the first row out of order. `compare` is negative if the first row may
 * precede the second.
 */
export function expectSorted<Row>(rows: readonly Row[], rule: string, compare: (a: Row, b: Row) => number): void {
  expectEach(rows, rule, (row, index) => {
    const before = rows[index - 1];
    return before === undefined || compare(before, row) < 0;
  });
}

export function expectSame(found: unknown, expected: unknown, sentence: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Failure(`${sentence}: ${shorten(a)}, expected ${shorten(b)}`);
}

function shorten(text: string | undefined): string {
  return (text ?? 'nothing').slice(0, 200);
}

/** Returns the value to check a rule on, or skips the check if there is none. */
export function need<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Skipped(`there is no ${what}`);
  return value;
}

export const DAY_MS = 86_400_000;

export function asQuery(entries: Readonly<Record<string, string>>): Query {
  return Object.entries(entries);
}

const DIGITS = 18;

/** Converts a decimal text to an exact multiple of 1e-18. */
export function toScaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole + fraction.padEnd(DIGITS, '0').slice(0, DIGITS));
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** Returns the median (the larger of the two middle values if the count is even), or null for an empty list. */
export function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
