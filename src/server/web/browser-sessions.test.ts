import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ANYBODY } from '#server/core/ports.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import { createBrowserSessions, type BrowserSessions } from './browser-sessions.ts';

const open = (key = 'key') => {
  let ids = 0;
  return createBrowserSessions(key, () => `id-${String(++ids)}`);
};
const PAGE = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
const REQUEST = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };

function greet(sessions: BrowserSessions, url: string, headers: Readonly<Record<string, string>>): string | undefined {
  const set = new Map<string, string>();
  sessions.greet(
    { url, headers } as unknown as IncomingMessage,
    { setHeader: (name: string, value: string) => set.set(name, value) } as unknown as ServerResponse,
  );
  return set.get('set-cookie');
}

const payerOf = async (sessions: BrowserSessions, cookie: string) =>
  (await sessions.identify({ headers: { cookie } } as IncomingMessage)).payer;
const valueOf = (cookie = ''): string => cookie.split(';')[0] ?? '';

test('each browser is told apart by a cookie that only this desk can have made, and sees what all may see', async () => {
  const sessions = open();
  const [first, second] = [greet(sessions, '/', PAGE), greet(sessions, '/api/desk/status', REQUEST)];
  expect(first).toMatch(/^perpdesk-browser-[0-9a-f]{8}=[\w-]+; Path=\/; HttpOnly; SameSite=Lax$/);
  expect([await payerOf(sessions, `other=1; ${valueOf(first)}`), await payerOf(sessions, valueOf(second))]).toEqual([
    'person id-1',
    'person id-2',
  ]);
  expect(await sessions.identify({ headers: { cookie: valueOf(first) } } as IncomingMessage)).toMatchObject({
    ...LOCAL_VIEWER,
    payer: 'person id-1',
  });
  expect(greet(sessions, '/', { ...PAGE, cookie: valueOf(first) })).toBeUndefined();
  const other = open('another key');
  expect([await payerOf(other, valueOf(first)), await payerOf(sessions, `${valueOf(first)}x`)]).toEqual([
    ANYBODY,
    ANYBODY,
  ]);
});

test('programs, other sites and files that browsers keep get no cookie, and programs count as one person', async () => {
  const sessions = open();
  expect(greet(sessions, '/api/desk/status', {})).toBeUndefined();
  expect(greet(sessions, '/api/desk/status', { ...REQUEST, 'sec-fetch-site': 'cross-site' })).toBeUndefined();
  expect(greet(sessions, '/assets/app.js', REQUEST)).toBeUndefined();
  expect(await payerOf(sessions, '')).toBe(ANYBODY);
});
