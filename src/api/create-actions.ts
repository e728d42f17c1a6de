import { ACTION_HEADER, type DeskAction } from '#contract/desk-actions.ts';
import { createParser } from '#contract/parsing/parse.ts';
import type { Static, TSchema } from '#contract/schema.ts';
import { InvalidResponseError } from './errors.ts';
import type { HttpClient } from './http-client.ts';

type BodyOf<Action extends DeskAction> = Action['body'] extends TSchema ? Static<Action['body']> : null;

/** Does one action. Rejects with one of the errors in `errors.ts`; the document of a `ProblemError` names all mistakes of the body. */
export type Act<Action extends DeskAction = DeskAction> = (body: BodyOf<Action>) => Promise<Static<Action['response']>>;

export type Actions<Table extends Readonly<Record<string, DeskAction>>> = { readonly [Name in keyof Table]: Act<Table[Name]> };

/** One function for each action of a table. */
export function createActions<Table extends Readonly<Record<string, DeskAction>>>(http: HttpClient, table: Table): Actions<Table> {
  return Object.fromEntries(Object.entries(table).map(([name, action]) => [name, createAct(http, name, action)])) as unknown as Actions<Table>;
}

function createAct(http: HttpClient, name: string, { method, path, response }: DeskAction): (body: object | null) => Promise<unknown> {
  const parser = createParser(response);
  return async (body) => {
    const headers = { accept: 'application/json', [ACTION_HEADER]: name, ...(body !== null && { 'content-type': 'application/json' }) };
    const { text } = await http.send(path, { method, headers, body: body === null ? null : JSON.stringify(body) });
    const { value, deviations } = parser.tolerant(text ?? '');
    if (value === null) throw new InvalidResponseError(deviations, text ?? '');
    return value;
  };
}
