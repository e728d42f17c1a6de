import { QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';
import type { Api } from '#page/client/create-api.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import { createQueries } from '#page/client/queries/create-queries.ts';
import { ProblemError } from '#page/client/errors.ts';
import { createAccess } from '#page/client/access.ts';
import { ApiProvider } from '#page/client/react/use-api.tsx';
import { ErrorState } from './panel-body.tsx';
import { Failure } from './failure.tsx';

const queries = createQueries({ api: { venue: {}, desk: {} } as unknown as Api, now: () => 0 });

function failureOf(detail: string, type: ProblemType = 'venue-unreachable') {
  const document = { type: PROBLEM_PREFIX + type, ...PROBLEMS[type], detail, instance: 'r1' };
  return { error: new ProblemError(document, 0, null), failedAt: 0, isFetching: false, retry: () => undefined };
}

/** Mounts the panel while Perpdesk reports that the exchange is available, or that it is not. */
function renderState(failure: ReturnType<typeof failureOf>, circuit: 'closed' | 'open'): string {
  const venue = { circuit, last_answer_at: '2026-11-20T12:00:00Z', last_failure: null, last_refusal: null };
  const status = { value: { venue, budget: { limit: null, used: 0 } } as unknown as DeskStatus };
  const queryClient = new QueryClient();
  queryClient.setQueryData(queries.desk.status({}).queryKey, status as never);
  return renderToStaticMarkup(
    <ApiProvider
      apiClient={{ http: {} as HttpClient, api: {} as Api, queries, now: () => 0, access: createAccess() }}
      queryClient={queryClient}
    >
      <ErrorState {...failure} />
    </ApiProvider>,
  );
}

const { title } = PROBLEMS['venue-unreachable'];
const EXPLAINED = 'This panel loads automatically once the outage is over.';

it('says what happened, why, and what to do', () => {
  const html = renderToStaticMarkup(<Failure {...failureOf('Connection refused.')} />);
  expect(html).toContain(title);
  expect(html).toContain('<p>Connection refused.</p>');
  expect(html).toContain('Perpdesk retries automatically.');
});

it('does not repeat the title as the detail', () => {
  expect(renderToStaticMarkup(<Failure {...failureOf(title)} />).split(title)).toHaveLength(2);
});

it('leaves reason and retry to the bar of an outage', () => {
  const html = renderState(failureOf('Connection refused.'), 'open');
  expect(html).toContain(EXPLAINED);
  for (const text of [title, 'Connection refused.', 'Try again']) expect(html).not.toContain(text);
});

it('speaks for itself where there is no outage, and where the failure is about something else', () => {
  expect(renderState(failureOf('Connection refused.'), 'closed')).not.toContain(EXPLAINED);
  expect(renderState(failureOf('The key lacks permission.', 'key-refused'), 'open')).not.toContain(EXPLAINED);
});
