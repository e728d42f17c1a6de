import { describe, expect, it } from 'vitest';
import { findScreen, SCREENS } from './screens.ts';

describe('the table of screens', () => {
  it.each(SCREENS.map(({ name, home }) => [name, home] as const))('%s is found at its own link, %s', (name, home) => {
    expect(findScreen(home)?.screen.name).toBe(name);
  });

  it('has a key of its own for each', () => {
    expect(new Set(SCREENS.map(({ key }) => key)).size).toBe(SCREENS.length);
  });

  it('gives a screen the parts of its address that its path names', () => {
    expect(findScreen('/price/5614')?.parameters['id']).toBe('5614');
    expect(findScreen('/price')?.parameters['id']).toBeUndefined();
  });

  it('has another screen for one perpetual than for all', () => {
    const [all, one] = [findScreen('/funding'), findScreen('/funding/BTCUC')];
    expect(one?.screen.name).toBe(all?.screen.name);
    expect(one?.screen.Component).not.toBe(all?.screen.Component);
    expect(one?.parameters['base_symbol']).toBe('BTCUC');
  });

  it.each(['/pricing', '/price/5614/more', '/status/x', '/Status', '//'])('has nothing at %s', (path) => {
    expect(findScreen(path)).toBeNull();
  });
});
