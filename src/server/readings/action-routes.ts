import { ACTION_HEADER, type DeskAction } from '#contract/desk/actions.ts';
import { findDeviations, type Deviation } from '#contract/parse/check.ts';
import { toShape, type Static, type TSchema } from '#contract/exchange/schema.ts';
import { describeMistakes, type Problem } from '#server/core/venue-failure.ts';
import { sendFailure, sendProblem } from '#server/web/error-responses.ts';
import { readJsonBody } from '#server/web/read-body.ts';
import {
  abortOnDisconnect,
  type RequestContext,
  type RouteHandler,
  type RouteResult,
} from '#server/web/request-context.ts';
import { joinRoutes, type Routes } from '#server/web/router.ts';
import { toTextBody, type SendResponse } from '#server/web/send-response.ts';
import { toPrintable } from '#server/core/printable.ts';
import { isProblem, parseQuery } from '#server/core/venue-request.ts';
import { findEnd } from '#server/core/viewer.ts';

interface ActionRequest<Body = unknown> {
  readonly query: Readonly<Record<string, string>>;
  /** The body, as the action’s schema types it; null if it has none. */
  readonly body: Body;
  readonly signal: AbortSignal;
  /** Says who sends it, and from where. */
  readonly context: RequestContext;
}

/** Performs one action. Rejects with a `VenueFailure` if it cannot. */
type Perform<Action extends DeskAction> = (
  request: ActionRequest<BodyOf<Action>>,
) => Promise<Static<Action['response']>>;

type BodyOf<Action extends DeskAction> = Action['body'] extends TSchema ? Static<Action['body']> : null;

export type Performers<Actions extends Readonly<Record<string, DeskAction>>> = {
  readonly [Name in keyof Actions]: Perform<Actions[Name]>;
};

/** Creates a handler for each path and method of the actions. */
export function createActionRoutes<Actions extends Readonly<Record<string, DeskAction>>>(
  actions: Actions,
  performers: Performers<Actions>,
  send: SendResponse,
): Routes['exact'] {
  return joinRoutes(
    ...Object.entries(actions).map(([name, action]) => {
      // The body has passed its schema, so it is of this type.
      const perform = performers[name] as unknown as (request: ActionRequest) => Promise<object>;
      return {
        [action.path]: { [action.method]: { needs: action.needs, handle: toHandler(name, action, perform, send) } },
      };
    }),
  );
}

function toHandler(
  name: string,
  action: DeskAction,
  perform: (request: ActionRequest) => Promise<object>,
  send: SendResponse,
): RouteHandler {
  const handle = async (context: RequestContext): Promise<Omit<RouteResult, 'endpoint'>> => {
    const { request, response, requestId } = context;
    try {
      const input = await readInput(name, action, context);
      if ('type' in input) return { status: sendProblem(response, input, requestId), outcome: input.type };
      const text = JSON.stringify(await perform({ ...input, signal: abortOnDisconnect(response), context }));
      return {
        status: await send(request, response, {
          type: 'application/json',
          ...toTextBody(text),
          requestId,
          access: 'signed',
        }),
        outcome: 'done',
      };
    } catch (error) {
      return sendFailure(response, error, requestId);
    }
  };
  return async (context) => ({ endpoint: action.path, ...(await handle(context)) });
}

/** The limit for senders who are not signed in: all that they send is short. */
const MAX_STRANGERS_BODY_BYTES = 65_536;

async function readInput(
  name: string,
  { path, needs, query: known, required, body: schema }: DeskAction,
  { request, rawQuery, viewer }: RequestContext,
): Promise<Pick<ActionRequest, 'query' | 'body'> | Problem> {
  if (request.headers[ACTION_HEADER] !== name)
    return {
      type: 'action-not-named',
      detail: `This request changes something: it must name the action in a header, "${ACTION_HEADER}: ${name}".`,
    };
  const pairs = parseQuery(path, known, rawQuery);
  if (isProblem(pairs)) return pairs;
  const query = Object.fromEntries(pairs);
  const missing = required.find((parameter) => query[parameter] === undefined);
  if (missing !== undefined) return { type: 'bad-parameter', detail: `${missing} must be given.`, parameter: missing };
  if (schema === null) return { query, body: null };
  const body = await readJsonBody(request, needs === 'nothing' ? MAX_STRANGERS_BODY_BYTES : undefined);
  // The sender may have lost the right to do this while the body was arriving.
  const obstacle = findEnd(viewer);
  if (obstacle !== null) return obstacle;
  if ('type' in body) return body;
  const errors = findDeviations(toShape(schema), body.value, '$');
  return errors.length === 0 ? { query, body: body.value } : toBodyProblem(errors);
}

const MAX_ERRORS = 50;

/**
 * Reports all mistakes together, so that they can be corrected in one go. Repeats no value: it may be a password in the
 * wrong field.
 */
function toBodyProblem(deviations: readonly Deviation[]): Problem {
  const errors = deviations.slice(0, MAX_ERRORS).map(({ path, kind, expected }) => ({
    path: toPrintable(path),
    detail: toPrintable(`${kind}: expected ${expected}`),
  }));
  return { type: 'bad-body', detail: describeMistakes(deviations.length, errors[0]?.path ?? '$'), errors };
}
