import { QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createAccess } from '#page/client/access.ts';
import type { Api } from '#page/client/create-api.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import { createQueries } from '#page/client/queries/create-queries.ts';
import { ApiProvider } from '#page/client/react/use-api.tsx';
import { useOrderTerms } from './use-order-terms.ts';

const queries = createQueries({ api: { venue: {}, desk: {} } as unknown as Api, now: () => 0 });

function Probe() {
  const { termsOf, isCheckLimited } = useOrderTerms(true);
  return `${termsOf === null ? 'no terms' : 'terms'}, ${isCheckLimited ? 'limited' : 'whole'}`;
}

it.each([
  ['another page of funding rates follows', 'next', 'terms, limited'],
  ['the funding rates fit one page', null, 'terms, whole'],
])('says whether tick size checks are limited: %s', (_, cursor, text) => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(queries.desk.products({}).queryKey, { value: { products: [] } } as never);
  queryClient.setQueryData(queries.venue.fundingRates({ limit: 100 }, { everySeconds: 900 }).queryKey, {
    value: { data: [], pagination: { cursor } },
  } as never);
  const apiClient = { http: {} as HttpClient, api: {} as Api, queries, now: () => 0, access: createAccess() };
  expect(
    renderToStaticMarkup(
      <ApiProvider apiClient={apiClient} queryClient={queryClient}>
        <Probe />
      </ApiProvider>,
    ),
  ).toBe(text);
});
