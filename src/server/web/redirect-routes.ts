import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { SignInFailure, toFailureLocation, type Redirect } from '#server/core/sign-in-failure.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { DESK_FAULT } from './problem-document.ts';
import type { RequestContext, RouteHandler } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

const SEE_OTHER = 303;

/** Sends a browser elsewhere; after a failure, to the sign-in screen, which explains it. */
export function createRedirectRoute(
  endpoint: string,
  find: (context: RequestContext) => Promise<Redirect>,
): RouteHandler {
  return async (context) => {
    const { response, requestId } = context;
    const redirect = ({ location, cookies }: Redirect): void => {
      response
        .writeHead(SEE_OTHER, {
          ...securityHeaders,
          'cache-control': 'no-store',
          [REQUEST_ID_HEADER]: requestId,
          location,
          ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
        })
        .end();
    };
    try {
      redirect(await find(context));
      return { endpoint, status: SEE_OTHER, outcome: 'redirected' };
    } catch (error) {
      redirect(
        error instanceof SignInFailure ? error.redirect : { location: toFailureLocation('desk-failed'), cookies: [] },
      );
      return { endpoint, status: SEE_OTHER, outcome: outcomeOf(error), error };
    }
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof SignInFailure) return 'not-signed-in';
  return error instanceof VenueFailure ? error.problem.type : DESK_FAULT.type;
}
