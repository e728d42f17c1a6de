import { describe, expect, it } from 'vitest';
import { matchScreen, SCREENS } from './screens.ts';

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
