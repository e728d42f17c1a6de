import { ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import { createParser, type Parser } from '#contract/parsing/parse.ts';
import { isTooManyWorkingOrders } from '#contract/refusals.ts';
import type { Static } from '#contract/schema.ts';
import type { ProbeResponse, Credential, Probe, Query, ProbeRequest } from './probe.ts';

/** Where a rule comes from: a clause of the interface, what is known of the real venue, or our exchange's own decision. */
export type RuleSource = 'interface' | 'venue facts' | 'decision';

export interface Check {
  readonly area: string;
  readonly title: string;
  readonly source: RuleSource;
  /** Gives a remark for the report where there is more to say than that the rule holds. */
  readonly run: (context: Context) => Promise<string | undefined>;
}

/** The exchange is not as the rule says. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The rule cannot be tried here, for a reason that the report gives. */
export class Skipped extends Error {
  override readonly name = 'NotTried';
}

export interface Context {
  readonly probe: Probe;
  /** Null where a gateway signs: then rules about signatures cannot be tried. */
  readonly credential: Credential | null;
  /** The answer to a good question, read strictly. Anything but a 200 of the exact shape is a failure. */
  readonly read: Read;
  /** The same, asked once more though it was asked before. */
  readonly readAgain: Read;
}

type Read = <Name extends EndpointName>(name: Name, ask?: Omit<ProbeRequest, 'name'>) => Promise<ResponseOf<Name>>;

type ResponseOf<Name extends EndpointName> = Static<(typeof ENDPOINTS)[Name]['response']>;

export function createContext(probe: Probe, credential: Credential | null): Context {
  const parsers = new Map<EndpointName, Parser<unknown>>();
  const parserOf = (name: EndpointName): Parser<unknown> => {
    const parser = parsers.get(name) ?? createParser(ENDPOINTS[name].response);
    parsers.set(name, parser);
    return parser;
  };
  const readWith =
    (ask: Probe['request']): Read =>
    async (name, rest = {}) => {
      const answer = await ask({ name, ...rest });
      if (answer.status === 404 && ENDPOINTS[name].optional) throw new Skipped(`${name} is not offered here`);
      if (name === 'ordersWorking' && isTooMany(answer)) throw new Skipped('more orders rest than one answer may hold');
      expectStatus(answer, 200);
      return readStrictly(parserOf(name), answer) as ResponseOf<typeof name>;
    };
  return { probe, credential, read: readWith(probe.request), readAgain: readWith(probe.requestAgain) };
}

/** The exchange refuses to give more working orders than the interface allows, and says so. */
export function isTooMany({ status, text }: Pick<ProbeResponse, 'status' | 'text'>): boolean {
  return isTooManyWorkingOrders(status, text);
}

function readStrictly(parser: Parser<unknown>, answer: ProbeResponse): unknown {
  try {
    return parser.strict(answer.text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 3).join('; ') : String(error);
    throw new Failure(`${answer.requestLine}: ${reason}`);
  }
}

/** The checks of one area, each given as its title and what it does. */
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

export function expectStatus(answer: ProbeResponse, ...statuses: readonly number[]): void {
  expectThat(
    statuses.includes(answer.status),
    `${answer.requestLine} answered ${String(answer.status)}, expected ${statuses.join(' or ')}`,
  );
}

export function expectThat(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Failure(sentence);
}

/** Says which row breaks a rule. */
export function expectEach<Row>(rows: readonly Row[], rule: string, holds: (row: Row, index: number) => boolean): void {
  const index = rows.findIndex((row, at) => !holds(row, at));
  if (index >= 0) throw new Failure(`${rule}: broken by row ${String(index)}, ${JSON.stringify(rows[index])}`);
}

/** Says which row breaks the order. `compare` is negative where the first may come before the second. */
export function expectSorted<Row>(rows: readonly Row[], rule: string, compare: (a: Row, b: Row) => number): void {
  expectEach(rows, rule, (row, index) => {
    const before = rows[index - 1];
    return before === undefined || compare(before, row) < 0;
  });
}

export function expectSame(found: unknown, expected: unknown, sentence: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Failure(`${sentence}: ${shorten(a)} against ${shorten(b)}`);
}

function shorten(text: string | undefined): string {
  return (text ?? 'nothing').slice(0, 200);
}

/** The row a rule is tried on; where there is none, the rule cannot be tried. */
export function need<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Skipped(`there is no ${what}`);
  return value;
}

export const DAY_MS = 86_400_000;

export function asQuery(entries: Readonly<Record<string, string>>): Query {
  return Object.entries(entries);
}
