import { describe, expect, it } from 'vitest';
import { createNavigator, parseAddress, type Frame } from './navigator.ts';

/** Creates a window’s address and history, as far as a navigator uses them. */
function startFrame(address: string) {
  const entries = [address];
  let at = 0;
  const listeners = new Set<() => void>();
  const url = () => new URL(entries[at] ?? '/', 'http://page');
  const history = {
    pushState: (_state: unknown, _title: string, to: string) => {
      entries.splice(at + 1, entries.length, to);
      at += 1;
    },
    replaceState: (_state: unknown, _title: string, to: string) => {
      entries[at] = to;
    },
  };
  const frame = {
    get location() {
      return url();
    },
    history,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  } as unknown as Frame;
  const back = (): void => {
    at -= 1;
    for (const listener of listeners) listener();
  };
  return { frame, entries, back, listeners };
}

describe('a navigator', () => {
  it('pushes a history entry for another screen, and replaces it for a change of the current one', () => {
    const { frame, entries } = startFrame('/');
    const { go } = createNavigator(frame, []);
    go('/status');
    go('/status?show=odd', 'replace');
    expect(entries).toEqual(['/', '/status?show=odd']);
  });

  it('adds no entry for the current address', () => {
    const { frame, entries } = startFrame('/status');
    createNavigator(frame, []).go('/status');
    expect(entries).toEqual(['/status']);
  });

  it('notifies of every change, including Back, until unsubscribed', () => {
    const { frame, back, listeners } = startFrame('/');
    const { go, read, subscribe } = createNavigator(frame, []);
    const seen: string[] = [];
    const stop = subscribe(() => seen.push(read()));
    go('/volume');
    back();
    stop();
    go('/status');
    expect(seen).toEqual(['/volume', '/']);
    expect(listeners.size).toBe(0);
  });

  it('keeps sticky parameters on another screen, and drops those of the screen', () => {
    const { frame, entries } = startFrame('/volume?zone=chicago&range=1M');
    const { go, hrefOf } = createNavigator(frame, ['zone']);
    expect(hrefOf('/price/5614?range=6M#table')).toBe('/price/5614?range=6M&zone=chicago#table');
    go('/status');
    expect(entries.at(-1)).toBe('/status?zone=chicago');
  });

  it('prefers a parameter set by the link, and does not restore one just removed', () => {
    const { frame, entries } = startFrame('/?zone=chicago');
    const { go, hrefOf } = createNavigator(frame, ['zone']);
    expect(hrefOf('/?zone=local')).toBe('/?zone=local');
    go('/', 'replace');
    expect(entries).toEqual(['/']);
  });
});

describe('an address', () => {
  it.each([
    ['/', '/'],
    ['/status/', '/status'],
    ['/price/5614/?range=1M', '/price/5614'],
  ])('%s is of the path %s', (address, path) => {
    expect(parseAddress(address).path).toBe(path);
  });
});
