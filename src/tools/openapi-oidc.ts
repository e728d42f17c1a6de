import { OIDC_ROUTES, type LogoutRejection, type OidcRoute } from '#contract/desk/oidc.ts';

const ROUTES: readonly (readonly [name: string, route: OidcRoute])[] = Object.entries(OIDC_ROUTES);

/** The error codes of RFC 6749, of which a logout has two. */
const REJECTIONS: readonly LogoutRejection['error'][] = ['invalid_request', 'logout_failed'];

const REJECTION = {
  description: 'No session has ended.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'error_description'],
        properties: {
          error: { type: 'string', enum: REJECTIONS },
          error_description: { type: 'string', description: 'A sentence for people.' },
        },
      },
    },
  },
};

export const OIDC_TAG = {
  name: 'OpenID provider',
  description:
    'What browsers and the provider request so that people sign in and out there (`DESK_ACCESS=oidc`). ' +
    'Elsewhere these paths do not exist.',
};

/** The routes of sign-in at a provider, by path. */
export function toOidcPaths(problems: object): Readonly<Record<string, object>> {
  return Object.fromEntries(
    ROUTES.map(([name, route]) => [route.path, { [route.method.toLowerCase()]: toOperation(name, route, problems) }]),
  );
}

function toOperation(
  name: string,
  { method, summary, description, parameters, responses }: OidcRoute,
  problems: object,
): object {
  const isForm = method === 'POST';
  return {
    'operationId': name,
    'tags': [OIDC_TAG.name],
    summary,
    description,
    'security': [{}],
    ...(isForm
      ? {
          requestBody: {
            required: true,
            content: { 'application/x-www-form-urlencoded': { schema: toForm(parameters) } },
          },
        }
      : { parameters: toQuery(parameters) }),
    'responses': {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, meaning]) => [status, toResponse(status, meaning)]),
      ),
      ...(isForm && { '400': REJECTION }),
      ...problems,
    },
    'x-needs': 'nothing',
  };
}

function toResponse(status: string, description: string): object {
  const isRedirect = status.startsWith('3');
  return {
    description,
    ...(isRedirect && {
      headers: { Location: { description: 'Where the browser goes next.', schema: { type: 'string' } } },
    }),
  };
}

function toQuery(parameters: OidcRoute['parameters']): readonly object[] {
  return Object.entries(parameters).map(([name, { description, example, isRequired }]) => ({
    name,
    in: 'query',
    required: isRequired,
    description,
    schema: { type: 'string' },
    example,
  }));
}

function toForm(parameters: OidcRoute['parameters']): object {
  const fields = Object.entries(parameters);
  return {
    type: 'object',
    required: fields.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    properties: Object.fromEntries(
      fields.map(([name, { description, example }]) => [name, { type: 'string', description, examples: [example] }]),
    ),
  };
}
