import { OIDC_ROUTES } from '#contract/desk/oidc.ts';
import type { OidcRoom } from '#server/people/open-provider.ts';
import { createFormRoute } from '#server/web/form-route.ts';
import { createRedirectRoute } from '#server/web/redirect-routes.ts';
import type { RouteHandler } from '#server/web/request-context.ts';
import { joinRoutes, type Routes } from '#server/web/router.ts';

/** The routes of the contract by which people sign in and out at an OpenID provider. */
export function createOidcRoutes({ begin, finish, signOut, logout }: OidcRoom, elapsed: () => number): Routes['exact'] {
  const handlers: Readonly<Record<keyof typeof OIDC_ROUTES, (path: string) => RouteHandler>> = {
    beginSignIn: (path) => createRedirectRoute(path, (context) => begin(context, context.rawQuery)),
    finishSignIn: (path) => createRedirectRoute(path, (context) => finish(context, context.rawQuery)),
    signOutAtProvider: (path) => createRedirectRoute(path, signOut),
    backChannelLogout: (path) => createFormRoute(path, elapsed, logout),
  };
  return joinRoutes(
    ...Object.entries(OIDC_ROUTES).map(([name, { method, path }]) => ({
      [path]: { [method]: { needs: 'nothing' as const, handle: handlers[name as keyof typeof OIDC_ROUTES](path) } },
    })),
  );
}
