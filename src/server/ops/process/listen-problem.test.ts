import { expect, it } from 'vitest';
import { listenProblem } from './desk-settings.ts';

const settings = { host: '127.0.0.1', port: 80 };

it.each([
  ['EADDRINUSE', 'Port 80 of 127.0.0.1 is in use', 'DESK_PORT'],
  ['EACCES', 'may not listen on port 80', 'DESK_PORT'],
  ['EADDRNOTAVAIL', 'no address 127.0.0.1', 'DESK_HOST'],
])('%s is explained, with the variable to change', (code, what, variable) => {
  const sentence = listenProblem(Object.assign(new Error('listen'), { code }), settings);
  expect(sentence).toContain(what);
  expect(sentence).toContain(variable);
});

it('an unknown error keeps its own message', () => {
  expect(listenProblem(new Error('the moon is full'), settings)).toContain('the moon is full');
  expect(listenProblem('the moon is full', settings)).toContain('the moon is full');
});

it.each([
  ['EADDRINUSE', 'The socket /run/desk.sock is in use'],
  ['ENOTSOCK', '/run/desk.sock exists and is not a socket'],
  ['EACCES', 'may not create the socket /run/desk.sock'],
  ['EPERM', 'must be a member of that group'],
  ['EINVAL', 'PrivateUsers=no'],
  ['ENOENT', 'folder of the socket /run/desk.sock does not exist'],
])('%s of a socket is explained, with the variable to change', (code, what) => {
  const sentence = listenProblem(Object.assign(new Error('listen'), { code }), {
    socket: '/run/desk.sock',
    groupId: null,
  });
  expect(sentence).toContain(what);
  expect(sentence).toContain('DESK_SOCKET');
});
