import { expect, it } from 'vitest';
import { type GroupRoles, joinGroups, parseGroupRoles } from './provider-settings.ts';

const groups = parseGroupRoles(
  JSON.stringify({
    '*': { roles: ['markets'] },
    'nord': { roles: ['orders'], accounts: ['NORD-105', 'NORD-107'] },
    'west': { roles: ['orders'], accounts: ['WEST-1', 'NORD-105'], firms: ['WEST'], connections: ['3f'] },
    'desk': { roles: ['operations'], all: true },
  }),
) as GroupRoles;
const nothing = { all: false, accounts: [], firms: [], connections: [] };

it.each([
  [[], ['markets'], nothing],
  [['unknown'], ['markets'], nothing],
  [
    ['nord', 'west'],
    ['markets', 'orders'],
    { all: false, accounts: ['NORD-105', 'NORD-107', 'WEST-1'], firms: ['WEST'], connections: ['3f'] },
  ],
  [['nord', 'desk'], ['markets', 'orders', 'operations'], { ...nothing, all: true }],
])('members of %j have %j', (names, roles, scope) => {
  expect(joinGroups(groups, names)).toEqual({ roles, scope });
});

it('without a group for everybody, nobody has a role by default', () => {
  expect(joinGroups(parseGroupRoles('{}') as GroupRoles, ['nord'])).toEqual({ roles: [], scope: nothing });
});

it.each([
  ['', 'must hold a JSON object of groups'],
  ['[]', 'must hold a JSON object of groups'],
  ['{"nord": []}', 'has the group "nord", which must be an object'],
  ['{"nord": {}}', 'which must have a list of roles: markets, orders, operations, admin'],
  ['{"nord": {"roles": ["trader"]}}', 'which must have a list of roles'],
  ['{"nord": {"roles": ["orders"], "account": ["A"]}}', 'which has the field "account"'],
  ['{"nord": {"roles": ["orders"], "accounts": "A"}}', 'which must have a list of texts as accounts'],
  ['{"nord": {"roles": ["orders"], "all": "yes"}}', 'which must have true or false as all'],
])('%j is a mistake', (text, sentence) => {
  expect(parseGroupRoles(text)).toEqual({ problem: expect.stringContaining(sentence) as string });
});
