import { expect, it } from 'vitest';
import type { Navigator } from '#page/kit/navigator.ts';
import type { Zone } from '#model/format/format-time.ts';
import { DEFAULT_PREFERENCES } from '#page/kit/preferences.ts';
import { syncZoneParameter } from './browser.ts';

/** Opens a page at an address with a preferred time zone. */
function openAt(address: string, zone: Zone) {
  const listeners = new Set<() => void>();
  const page = { address, zone };
  const move = (to: string): void => {
    page.address = to;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const navigator: Navigator = { read: () => page.address, subscribe, go: move, hrefOf: (to) => to };
  syncZoneParameter({ read: () => ({ ...DEFAULT_PREFERENCES, zone: page.zone }) }, navigator);
  return { page, move };
}

it('adds the preferred time zone to an address without one, and keeps its other parts', () => {
  expect(openAt('/price/7?range=1M#main', 'chicago').page.address).toBe('/price/7?range=1M&zone=chicago#main');
});

it('adds it to an older history entry', () => {
  const { page, move } = openAt('/', 'utc');
  page.zone = 'chicago';
  move('/status');
  expect(page.address).toBe('/status?zone=chicago');
});

it.each([
  ['the default time zone is not added', '/status', 'utc'],
  ['an address with a time zone keeps it', '/status?zone=local', 'chicago'],
] as const)('%s', (_title, address, zone) => {
  const { page, move } = openAt(address, zone);
  expect(page.address).toBe(address);
  move(address);
  expect(page.address).toBe(address);
});
