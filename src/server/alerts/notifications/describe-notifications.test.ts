import { expect, it } from 'vitest';
import { listFailingChannels } from './describe-notifications.ts';
import type { ChannelState } from './open-notification-room.ts';

const NOW = Date.UTC(2026, 10, 28, 13, 56);
const SINCE = NOW - 60_000;

const channel = (change: Partial<ChannelState>): ChannelState => ({
  ...{ name: 'ops', channel: { name: 'ops', kind: 'standard', host: 'hooks.firm.example' } },
  ...{ endedAt: null, failingSince: null, last: null, waiting: 0, oldestAt: null, nextAt: null },
  ...change,
});
const list = (state: ChannelState, scope: Parameters<typeof listFailingChannels>[1]['scope'] = 'all') =>
  listFailingChannels({ describe: () => Promise.resolve({ delivers: true, channels: [state] }) }, { scope }, NOW);

it('a channel whose notifications fail is an alert without a rule', async () => {
  expect(await list(channel({ failingSince: SINCE, waiting: 7 }))).toEqual([
    {
      name: 'ops',
      since: '2026-11-28T13:55:00.000Z',
      waiting: 7,
      sentence: 'Notifications to ops have failed since 2026-11-28 13:55 UTC; 7 alerts wait.',
    },
  ]);
  expect(await list(channel({ endedAt: NOW, waiting: 1 }))).toMatchObject([{ name: 'ops', waiting: 1 }]);
});

it.each([
  ['works', channel({}), 'all'],
  ['has failed only once, a moment ago', channel({ failingSince: NOW - 5_000, waiting: 1 }), 'all'],
  [
    'concerns alerts of others',
    channel({ failingSince: SINCE, waiting: 1 }),
    { accounts: new Set(['A']), firms: new Set<string>(), connections: new Set<string>() },
  ],
] as const)('a channel that %s is none', async (_, state, scope) => {
  expect(await list(state, scope)).toEqual([]);
});
