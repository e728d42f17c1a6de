import { DESK_ANSWERS } from '#contract/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName } from '#contract/endpoints.ts';
import { createParser, type Parser } from '#contract/parse.ts';
import type { Static, TSchema } from '#contract/schema.ts';
import { toAnswer, type Answer, type Question } from './answer.ts';
import type { Asking, HttpClient } from './http-client.ts';
import { toQuery, toTarget, type Parameters } from './request-target.ts';
import type { QueryRequest, RequestOf, ResponseOf } from './request-types.ts';

/** Everything the desk answers on its own account. */
export type DeskAnswerName = keyof typeof DESK_ANSWERS;
export type DeskResponseOf<Name extends DeskAnswerName> = Static<(typeof DESK_ANSWERS)[Name]['response']>;

export type DeskRequestOf<Name extends DeskAnswerName> = QueryRequest<(typeof DESK_ANSWERS)[Name]['query']>;

/** How to ask, and the answer had before: where nothing has changed, its rows are used again. */
interface AskingAgain<T> extends Asking {
  readonly previous?: Answer<T> | undefined;
}

/** Asks one endpoint. Rejects with one of the errors of `errors.ts`, or with the signal's reason. */
export type Ask<Request, Response> = (request: Request, asking?: AskingAgain<Response>) => Promise<Answer<Response>>;

/** The door to the desk: a function for each endpoint of the table, and one for each answer of the desk's own. */
export interface Api {
  readonly venue: { readonly [Name in EndpointName]: Ask<RequestOf<Name>, ResponseOf<Name>> };
  readonly desk: { readonly [Name in DeskAnswerName]: Ask<DeskRequestOf<Name>, DeskResponseOf<Name>> };
}

/** Opens the door: every function in it follows from the table, none is written by hand. */
export function createApi(http: HttpClient): Api {
  const deskNames = Object.keys(DESK_ANSWERS) as readonly DeskAnswerName[];
  return {
    venue: Object.fromEntries(ENDPOINT_NAMES.map((name) => [name, createAsk(http, venueQuestions(name))])) as unknown as Api['venue'],
    desk: Object.fromEntries(deskNames.map((name) => [name, createAsk(http, deskQuestions(name))])) as unknown as Api['desk'],
  };
}

type ToQuestion = (request: Parameters) => Question<unknown>;

function createAsk(http: HttpClient, toQuestion: ToQuestion): Ask<Parameters, unknown> {
  return async (request, { previous, ...asking } = {}) => {
    const question = toQuestion(request);
    const { target, isPrivate, isOwn } = question;
    return toAnswer(question, await http.get(target, { ...asking, isPrivate, isOwn, heldTag: previous?.tag }), previous);
  };
}

function venueQuestions(name: EndpointName): ToQuestion {
  const endpoint: Endpoint = ENDPOINTS[name];
  const read = readLater(endpoint.response);
  const isPrivate = endpoint.access === 'signed';
  return (request) => ({ endpoint: name, target: toTarget(endpoint, request), read, isPrivate });
}

function deskQuestions(name: DeskAnswerName): ToQuestion {
  const { path, query, response, rows, access, waitsForVenue } = DESK_ANSWERS[name];
  const read = readLater(response, rows);
  const isPrivate = access === 'signed';
  const isOwn = !waitsForVenue;
  return (request) => ({ endpoint: `desk/${name}`, target: path + toQuery(Object.keys(query), request), read, isPrivate, isOwn });
}

/** A page asks few of all endpoints: a parser is made with the first answer. */
function readLater(schema: TSchema, rows?: string): Question<unknown>['read'] {
  let parser: Parser<unknown> | null = null;
  return (text) => {
    parser ??= createParser(schema, rows);
    return parser.tolerant(text);
  };
}
