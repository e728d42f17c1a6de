/** How a desk is known to the provider of the tests. */
export const CLIENT = { id: 'perpdesk', secret: 'a secret of the tests' } as const;

/** Whom the provider knows, with their groups. */
export const GROUPS_OF: Readonly<Record<string, readonly string[]>> = {
  ann: ['traders'],
  cy: ['traders'],
  bo: ['desk'],
  fay: ['desk'],
  gil: ['traders'],
  hugh: ['traders'],
  eve: ['guests'],
};

/** Where a test changes the groups of a person (`name`, `groups`), and takes back what a person allowed (`name`). */
export const GROUPS_PATH = '/of-tests/groups';
export const REVOKED_PATH = '/of-tests/revoked';
