import { describe, expect, it } from 'vitest';
import type { DeskMe } from '#contract/desk/access.ts';
import type { Role } from '#contract/desk/roles.ts';
import { matchScreen, SCREENS, toUsable } from './screens.ts';

describe('the table of screens', () => {
  it.each(SCREENS.map(({ name, home }) => [name, home] as const))('%s matches its own link, %s', (name, home) => {
    expect(matchScreen(home)?.screen.name).toBe(name);
  });

  it('has a different shortcut key for each', () => {
    expect(new Set(SCREENS.map(({ key }) => key)).size).toBe(SCREENS.length);
  });

  it('passes the named parts of the address to the screen', () => {
    expect(matchScreen('/price/5614')?.parameters['id']).toBe('5614');
    expect(matchScreen('/price')?.parameters['id']).toBeUndefined();
  });

  it('has one screen for a perpetual and another for all', () => {
    const [all, one] = [matchScreen('/funding'), matchScreen('/funding/BTCUC')];
    expect(one?.screen.name).toBe(all?.screen.name);
    expect(one?.screen.Component).not.toBe(all?.screen.Component);
    expect(one?.parameters['base_symbol']).toBe('BTCUC');
  });

  it.each(['/pricing', '/price/5614/more', '/status/x', '/Status', '//'])('matches nothing at %s', (path) => {
    expect(matchScreen(path)).toBeNull();
  });
});

describe('the screens that one may use', () => {
  const namesFor = (roles: readonly Role[]): readonly string[] => {
    const me = {
      id: 'p1',
      name: 'Ines',
      roles: [...roles],
      scope: { all: true, accounts: [], firms: [], connections: [] },
      way: 'password',
      has_password: true,
      passkeys: [],
    } as const;
    return toUsable({ mode: 'users', me, forgery_token: '', ways: [] } as unknown as DeskMe).map(({ name }) => name);
  };

  it('are all but those about people where nobody signs in', () => {
    expect(toUsable(null).map(({ name }) => name)).toEqual([
      'Markets',
      'Price',
      'Curve',
      'Volume / OI',
      'Funding',
      'Orders',
      'History',
      'Activity',
      'Rules',
      'Status',
    ]);
  });

  it('follow from the roles', () => {
    expect(namesFor(['markets'])).toEqual(['Markets', 'Price', 'Curve', 'Volume / OI', 'Funding', 'Status', 'Account']);
    expect(namesFor(['orders'])).toEqual([
      'Markets',
      'Price',
      'Curve',
      'Volume / OI',
      'Funding',
      'Orders',
      'History',
      'Activity',
      'Status',
      'Account',
    ]);
    expect(namesFor(['operations'])).toContain('Rules');
    expect(namesFor(['admin'])).toEqual([
      'Markets',
      'Price',
      'Curve',
      'Volume / OI',
      'Funding',
      'Status',
      'Account',
      'People',
      'Audit',
    ]);
  });
});
