import { expect, it } from 'vitest';
import { describeBrowser, describeScope } from './describe-access.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox 150, Linux'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    'Chrome 156, Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
    'Edge 150, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari 26, macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
    'Chrome 150, Android',
  ],
])('names a browser and its system: %s', (text, words) => {
  expect(describeBrowser(text)).toBe(words);
});

it('shows what it does not know as it is', () => {
  expect(describeBrowser('curl/8.5.0')).toBe('curl/8.5.0');
  expect(describeBrowser('')).toBe('unknown');
});

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
