import { expect, test } from 'vitest';
import type { AccessMode } from '#contract/desk/roles.ts';
import { noteOtherUsers } from './exposure-warnings.ts';

const root = 'root:x:0:0:root:/root:/bin/bash';
const daemon = 'daemon:x:1:1::/usr/sbin:/usr/sbin/nologin';
const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin';
const service = 'ci:x:1001:1001::/home/ci:/bin/false';
const ann = 'ann:x:1000:1000:Ann:/home/ann:/bin/bash';
const bob = 'bob:x:1002:1002:Bob:/home/bob:';
const TCP = { host: '127.0.0.1', port: 8080 };

function notesOf(
  lines: readonly string[],
  ownId: number | null,
  settings: Parameters<typeof noteOtherUsers>[2] = TCP,
  access: AccessMode = 'local',
): unknown[] {
  const notes: unknown[] = [];
  noteOtherUsers(
    (level, event, fields) => notes.push([level, event, fields]),
    { passwd: () => lines.join('\n'), ownId },
    settings,
    access,
  );
  return notes;
}

const note = (others: number) => [
  'info',
  'open to other users',
  {
    others,
    reason: expect.stringMatching(
      /^Every user of this machine can read the screens, orders included: set DESK_SOCKET/,
    ) as string,
  },
];

test('where other people have accounts, one line says that they can read the screens, and how to prevent it', () => {
  expect(notesOf([root, daemon, nobody, service, ann, bob, ''], 1_000)).toEqual([note(1)]);
  expect(notesOf([root, ann, bob], 0)).toEqual([note(2)]);
  expect(notesOf([root, ann], null)).toEqual([note(1)]);
});

test('where nobody else can log in, nothing is said', () => {
  expect(notesOf([root, daemon, nobody, service, ann], 1_000)).toEqual([]);
  expect(notesOf(['', '# no account', 'ann:x', 'ann:x:1e9:0:::/bin/sh'], 0)).toEqual([]);
});

test('on a Unix socket nothing is said: it is open to its owner only', () => {
  expect(notesOf([ann, bob], 0, { socket: '/run/desk.sock', groupId: null })).toEqual([]);
});

test('where people sign in, nothing is said', () => {
  expect(notesOf([ann, bob], 0, TCP, 'users')).toEqual([]);
});
