import { expect, it } from 'vitest';
import type { Navigator } from '#ui/navigation/navigator.ts';
import { USUAL, type Zone } from '#ui/preferences/preferences.ts';
import { adoptZone } from './adopt-zone.ts';

/** A page at an address, whose reader prefers a zone. */
function startAt(address: string, zone: Zone) {
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
  adoptZone({ read: () => ({ ...USUAL, zone: page.zone }) }, navigator);
  return { page, move };
}

it('an address that names no zone gets the one preferred, beside what else it holds', () => {
  expect(startAt('/price/7?range=1M#main', 'chicago').page.address).toBe('/price/7?range=1M&zone=chicago#main');
});

it('an older entry of the history gets it too', () => {
  const { page, move } = startAt('/', 'utc');
  page.zone = 'chicago';
  move('/status');
  expect(page.address).toBe('/status?zone=chicago');
});

it.each([
  ['the usual zone goes without saying', '/status', 'utc'],
  ['an address that names a zone keeps it', '/status?zone=local', 'chicago'],
] as const)('%s', (_title, address, zone) => {
  const { page, move } = startAt(address, zone);
  expect(page.address).toBe(address);
  move(address);
  expect(page.address).toBe(address);
});
