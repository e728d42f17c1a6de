import { flag, integer, text } from './fields.ts';
import { list, nullable, row, word, type Static } from './schema.ts';

const PolicyParameter = row('PolicyParameter', 'A parameter that may be sent.', {
  name: text('Its name.'),
  must_be: text('Its grammar, as a sentence completes “must be”.'),
  repeatable: flag('Whether it may be given more than once.'),
});

const PolicyEndpoint = row('PolicyEndpoint', 'An endpoint that may be asked, as the table has it.', {
  name: text('Its name in the table.'),
  path: text('Where the desk answers it, from the first slash.'),
  upstream: text('Where the venue does, below its base URL.'),
  summary: text('What it tells.'),
  access: word(['public', 'signed'], 'Signed: sent with the key, never shared between identities.'),
  paged: flag('Whether it comes in pages.'),
  stability: word(['draft', 'stable'], 'Draft: it may change without notice.'),
  optional: flag('Whether a venue may be without it.'),
  reuse_seconds: integer('For how long an answer may be used again.'),
  settled_after_seconds: nullable(
    integer('How long after the end of its range an answer that is whole never changes; null: it may always.'),
  ),
  purpose: text('What it is usually read for: who comes first when requests are scarce.'),
  path_parameters: list(PolicyParameter),
  query: list(PolicyParameter),
});

/** `GET /api/desk/policy`: what the desk may send to the venue, and nothing else. */
export const DeskPolicy = row('DeskPolicy', 'What may be sent to the venue.', {
  venue: text('Name of its profile.'),
  methods: list(word(['GET', 'HEAD'], 'The interface only reads.')),
  endpoints: list(PolicyEndpoint),
});
export type DeskPolicy = Static<typeof DeskPolicy>;
