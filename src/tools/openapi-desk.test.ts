import { expect, test } from 'vitest';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { DESK_ACTIONS } from '#contract/desk/actions.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { OIDC_ROUTES, SIGN_IN_FAILURES } from '#contract/desk/oidc.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { LIVE_EVENTS, LIVE_PATH } from '#contract/desk/live.ts';
import { TOPIC_NAMES } from '#contract/desk/topics.ts';
import { writeDeskOpenApi } from './openapi-desk.ts';
import { findLintProblems } from './openapi-lint.ts';

const document = JSON.parse(writeDeskOpenApi()) as {
  readonly paths: Readonly<Record<string, { readonly get: Readonly<Record<string, unknown>> }>>;
};

test('it has every path that Perpdesk serves itself, and no problem that the linter knows but redirects', async () => {
  const paths = [
    ...Object.values(DESK_ENDPOINTS),
    ...Object.values(RULE_ENDPOINTS),
    ...Object.values(ACCESS_ENDPOINTS),
    ...Object.values(SAVED_ENDPOINTS),
    ...Object.values(DESK_ACTIONS),
    ...Object.values(ACCESS_ACTIONS),
    ...Object.values(SAVED_ACTIONS),
    ...Object.values(OIDC_ROUTES),
  ].map(({ path }) => path);
  expect(Object.keys(document.paths)).toEqual([...new Set(paths), LIVE_PATH]);
  // A route that only redirects has no success response.
  const redirects = Object.values(OIDC_ROUTES).filter(({ method }) => method === 'GET');
  expect(await findLintProblems(writeDeskOpenApi())).toEqual(
    redirects.map(
      ({ path }) =>
        `warn operation-2xx-response at #/paths/${path.replaceAll('/', '~1')}/get/responses: Operation must have at least one \`2XX\` response.`,
    ),
  );
});

test('the stream has every topic with its parameters, and every event', () => {
  const live = document.paths[LIVE_PATH]?.get ?? {};
  expect(Object.keys(live['x-topics'] as object)).toEqual(TOPIC_NAMES);
  expect(live['x-topics']).toMatchObject({
    'working-orders': {
      key: 'id',
      account: 'account_id',
      parameters: expect.arrayContaining([{ name: 'account_id', required: false }]) as unknown,
    },
    'funding-estimates': { parameters: [{ name: 'base_symbol', required: true }] },
  });
  for (const name of Object.keys(LIVE_EVENTS)) expect(JSON.stringify(live['responses'])).toContain(`\`${name}\`: `);
});

test('what a provider and its people request is there with its form, its redirects and every code of a failure', () => {
  const operationOf = ({ path, method }: (typeof OIDC_ROUTES)[keyof typeof OIDC_ROUTES]) =>
    (document.paths[path] as Readonly<Record<string, unknown>> | undefined)?.[method.toLowerCase()];
  expect(operationOf(OIDC_ROUTES.backChannelLogout)).toMatchObject({
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { required: ['logout_token'] } } } },
    responses: { '200': {}, '400': {} },
  });
  expect(operationOf(OIDC_ROUTES.finishSignIn)).toMatchObject({
    parameters: expect.arrayContaining([expect.objectContaining({ name: 'state', required: true })]) as unknown,
    responses: { '303': { headers: { Location: {} } } },
  });
  for (const code of Object.keys(SIGN_IN_FAILURES))
    expect(JSON.stringify(operationOf(OIDC_ROUTES.beginSignIn))).toContain(`\`${code}\``);
});
