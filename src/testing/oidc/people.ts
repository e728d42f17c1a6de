/** The client by which the provider of the tests knows Perpdesk. */
export const CLIENT = { id: 'perpdesk', secret: 'a secret of the tests' } as const;

/** The people whom the provider knows, with their groups. */
export const GROUPS_OF: Readonly<Record<string, readonly string[]>> = {
  ann: ['traders'],
  cy: ['traders'],
  bo: ['desk'],
  fay: ['desk'],
  gil: ['traders'],
  hugh: ['traders'],
  eve: ['guests'],
};

/** The path at which a test changes a person's groups (`name`, `groups`) and revokes what a person allowed (`name`). */
export const GROUPS_PATH = '/of-tests/groups';
export const REVOKED_PATH = '/of-tests/revoked';
