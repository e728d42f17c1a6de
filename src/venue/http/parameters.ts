import type { Parameter } from '#contract/exchange/endpoints.ts';
import type { Route } from '#contract/exchange/routes.ts';
import { toQuotedText, Refusal } from './refusal.ts';
import { decodePart } from './request-target.ts';

type Values = Readonly<Partial<Record<string, readonly string[]>>>;

/** The values of a query by name, each checked against the endpoint's table. */
export function readQuery({ endpoint }: Route, rawQuery: string): Values {
  const values: Partial<Record<string, string[]>> = {};
  for (const [name, value] of splitQuery(rawQuery)) {
    const parameter = Object.hasOwn(endpoint.query, name) ? endpoint.query[name] : undefined;
    if (!parameter) throw unknownParameter(name, Object.keys(endpoint.query));
    requireGrammar(name, value, parameter);
    const known = (values[name] ??= []);
    if (known.length > 0 && !parameter.repeatable) throw new Refusal(400, `${name} must be given only once.`);
    known.push(value);
  }
  return values;
}

export function checkPath({ endpoint, pathParameters }: Route): void {
  for (const [name, parameter] of Object.entries(endpoint.pathParameters)) {
    requireGrammar(name, pathParameters[name] ?? '', parameter);
  }
}

function* splitQuery(rawQuery: string): Iterable<readonly [name: string, value: string]> {
  for (const part of rawQuery.split('&')) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const name = decodePart(mark < 0 ? part : part.slice(0, mark));
    const value = decodePart(mark < 0 ? '' : part.slice(mark + 1));
    if (name === null || value === null) throw new Refusal(400, `${toQuotedText(part)} has invalid percent-encoding.`);
    yield [name, value];
  }
}

function requireGrammar(name: string, value: string, { grammar }: Parameter): void {
  if (!grammar.accepts(value))
    throw new Refusal(400, `${name} must be ${grammar.sentence}; ${toQuotedText(value)} is not.`);
}

function unknownParameter(name: string, known: readonly string[]): Refusal {
  const list = known.length === 0 ? 'This endpoint has none' : `This endpoint has ${known.join(', ')}`;
  return new Refusal(400, `Unknown parameter ${toQuotedText(name)}. ${list}.`);
}
