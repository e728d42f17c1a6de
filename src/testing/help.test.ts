import { expect, it } from 'vitest';
import { commands } from '#cli/commands.mjs';
import { findHelp } from '#cli/help.mjs';
import { readVenueSettings } from '#venue/venue-settings.ts';

const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  user: [
    'list',
    'add',
    'set',
    'invite',
    'withdraw',
    'disable',
    'enable',
    'end-sessions',
    'tokens',
    'passkeys',
    'revoke',
    'delete',
  ],
  audit: ['check', 'export'],
  evidence: ['check'],
};

const all = Object.keys(commands).flatMap((name) => [
  [name],
  ...(SUBCOMMANDS[name] ?? []).map((subcommand) => [name, subcommand]),
]);

it.each(all)('%s %s --help has usage and an example', (...words) => {
  const [name = '', ...args] = words.filter((word) => typeof word === 'string');
  for (const flag of ['--help', '-h']) {
    const help = findHelp(name, [...args, flag]) ?? '';
    expect(help).toMatch(/^Usage: perpdesk /);
    expect(help).toContain([name, ...args].join(' '));
    expect(help).toMatch(new RegExp(`\\nExample: .*perpdesk.*`));
    expect(help.split('\n').filter((line) => line.length > 120)).toEqual([]);
  }
});

it('no other argument asks for help', () => {
  expect(findHelp('user', ['list'])).toBeUndefined();
});

it('every option of the exchange is explained', () => {
  const { problems } = readVenueSettings(['--none']);
  const options = problems?.[0]?.match(/--[\w-]+/g)?.slice(1) ?? [];
  expect(options.length).toBeGreaterThan(10);
  const help = findHelp('venue', ['--help']);
  for (const option of options) expect(help).toContain(`  ${option} `);
});
