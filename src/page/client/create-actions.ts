import { ACTION_HEADER, type DeskAction } from '#contract/desk/actions.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Static, TSchema } from '#contract/exchange/schema.ts';
import { InvalidResponseError } from './errors.ts';
import type { HttpClient } from './http-client.ts';
import { toQuery } from './create-api.ts';

/** The input of an action: its parameters, its body, or both. */
type ActionInput<Action extends DeskAction> = (Action['required'] extends readonly []
  ? { readonly query?: Readonly<Partial<Record<keyof Action['query'], string>>> }
  : {
      readonly query: Readonly<Record<Action['required'][number], string>> &
        Readonly<Partial<Record<keyof Action['query'], string>>>;
    }) &
  (Action['body'] extends TSchema ? { readonly body: Static<Action['body']> } : object);

/**
 * Performs one action. Rejects with one of the errors in `errors.ts`; the document of a `ProblemError` lists every
 * mistake in the body.
 */
type Act<Action extends DeskAction> = (input: ActionInput<Action>) => Promise<Static<Action['response']>>;

export type Actions<Table extends Readonly<Record<string, DeskAction>>> = {
  readonly [Name in keyof Table]: Act<Table[Name]>;
};

/** Creates one function for each action of a table. */
export function createActions<Table extends Readonly<Record<string, DeskAction>>>(
  http: Pick<HttpClient, 'send'>,
  table: Table,
): Actions<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, action]) => [name, createAct(http, name, action)]),
  ) as unknown as Actions<Table>;
}

interface AnyInput {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function createAct(
  http: Pick<HttpClient, 'send'>,
  name: string,
  { method, path, query: known, response }: DeskAction,
): (input: AnyInput) => Promise<unknown> {
  const parser = createParser(response);
  return async ({ query = {}, body }) => {
    const headers = {
      accept: 'application/json',
      [ACTION_HEADER]: name,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const { text } = await http.send(path + toQuery(Object.keys(known), query), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value, deviations } = parser.tolerant(text ?? '');
    if (value === null) throw new InvalidResponseError(deviations, text ?? '');
    return value;
  };
}
