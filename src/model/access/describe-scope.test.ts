import { expect, it } from 'vitest';
import { describeScope } from './describe-scope.ts';

const NONE = { all: false, accounts: [], firms: [], connections: [] };

it('names whose orders one may see', () => {
  expect(describeScope({ roles: ['orders'], scope: { ...NONE, accounts: ['NORD-105', 'NORD-107'] } })).toBe(
    'Orders of NORD-105, NORD-107',
  );
  expect(
    describeScope({
      roles: ['operations'],
      scope: { ...NONE, accounts: ['A'], firms: ['NORD'], connections: ['7', '8'] },
    }),
  ).toBe('Orders of A; firm NORD; connections 7, 8');
  expect(describeScope({ roles: ['orders'], scope: { ...NONE, all: true } })).toBe('All orders');
});

it('says that somebody sees no orders, whichever of role and scope is missing', () => {
  expect(describeScope({ roles: ['markets', 'admin'], scope: { ...NONE, all: true } })).toBe('No orders');
  expect(describeScope({ roles: ['orders'], scope: NONE })).toBe('No orders: the list is empty');
});
