import { flag, integer, text } from '../exchange/fields.ts';
import { list, nullable, row, openEnum, type Static } from '../exchange/schema.ts';

const PolicyParameter = row('PolicyParameter', 'An accepted parameter.', {
  name: text('Its name.'),
  must_be: text('Its grammar, as the completion of “must be”.'),
  repeatable: flag('Whether it may be repeated.'),
});

const PolicyEndpoint = row('PolicyEndpoint', 'An entry of the endpoint table.', {
  name: text('Name in the endpoint table.'),
  path: text('Path at Perpdesk.'),
  upstream: text('Path at the exchange, below its base URL.'),
  summary: text('What it returns.'),
  access: openEnum(['public', 'signed'], 'Signed: sent with the key, never shared between identities.'),
  paged: flag('Whether responses are paged.'),
  stability: openEnum(['draft', 'stable'], 'Draft: it may change without notice.'),
  optional: flag('Whether an exchange may lack it.'),
  reuse_seconds: integer('For how many seconds a response is fresh.'),
  settled_after_seconds: nullable(
    integer('How many seconds after the end of its range a complete response is final; null if never.'),
  ),
  purpose: text('Default purpose, which decides who goes first when requests are scarce.'),
  path_parameters: list(PolicyParameter),
  query: list(PolicyParameter),
});

/** `GET /api/desk/policy`: the only requests that Perpdesk sends to the exchange. */
export const DeskPolicy = row('DeskPolicy', 'The only requests that Perpdesk sends to the exchange.', {
  venue: text('Name of its profile.'),
  methods: list(openEnum(['GET', 'HEAD'], 'The interface is read-only.')),
  endpoints: list(PolicyEndpoint),
});
export type DeskPolicy = Static<typeof DeskPolicy>;
