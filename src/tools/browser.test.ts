import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBrowser, type BrowserProbes } from './browser.ts';

interface Machine {
  readonly chosen?: string;
  readonly isRoot?: boolean;
  readonly files: readonly string[];
  /** Files that appear once a command has run. */
  readonly brings?: Readonly<Record<string, string>>;
  readonly broken?: readonly string[];
}

const own = '/home/user/.cache/ms-playwright/chromium/chrome';

function machine({ chosen, isRoot = false, files, brings = {}, broken = [] }: Machine) {
  const present = new Set(files);
  const commands: string[] = [];
  const act = (command: string): boolean => {
    commands.push(command);
    const brought = brings[command];
    if (brought !== undefined) present.add(brought);
    return brought !== undefined;
  };
  const probes: BrowserProbes = {
    chosen,
    path: ['/usr/local/bin', '/usr/bin'],
    playwrightsOwn: () => Promise.resolve(own),
    isRoot,
    exists: (file) => present.has(file),
    succeeds: (program, args) => {
      if (args[0] === '--version') return Promise.resolve(present.has(program) && !broken.includes(program));
      if (args[0] === 'update') return Promise.resolve(false);
      const [command, subcommand] =
        program === process.execPath ? [basename(String(args[0])), args[1]] : [program, args[0]];
      return Promise.resolve(act(`${command} ${String(subcommand)} ${String(args.at(-1))}`));
    },
    say: () => undefined,
  };
  return { probes, commands };
}

describe('an installed browser', () => {
  test.each(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])(
    'finds %s on the path',
    async (name) => {
      const { probes, commands } = machine({ files: [`/usr/bin/${name}`] });
      expect(await findBrowser(probes)).toEqual({ path: `/usr/bin/${name}` });
      expect(commands).toEqual([]);
    },
  );

  test('prefers one without a window', async () => {
    const { probes } = machine({ files: ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'] });
    expect(await findBrowser(probes)).toEqual({ path: '/usr/bin/chromium-headless-shell' });
  });

  test('skips one that does not start', async () => {
    const { probes } = machine({
      files: ['/usr/bin/chromium', '/usr/bin/google-chrome'],
      broken: ['/usr/bin/chromium'],
    });
    expect(await findBrowser(probes)).toEqual({ path: '/usr/bin/google-chrome' });
  });

  test("takes Playwright's own when nothing is installed, without a download", async () => {
    const { probes, commands } = machine({ files: [own] });
    expect(await findBrowser(probes)).toEqual({ path: own });
    expect(commands).toEqual([]);
  });

  test('prefers the chosen one', async () => {
    const { probes } = machine({ chosen: '/opt/brave', files: ['/opt/brave', '/usr/bin/chromium'] });
    expect(await findBrowser(probes)).toEqual({ path: '/opt/brave' });
  });

  test('names the chosen one when it does not start, and takes no other in its place', async () => {
    const { probes } = machine({ chosen: '/opt/brave', files: ['/usr/bin/chromium'] });
    expect(await findBrowser(probes)).toEqual({ problem: expect.stringContaining('/opt/brave') as string });
  });
});

describe('a browser that must be fetched', () => {
  const download = { 'playwright install chromium': own };
  const apt = { 'apt-get install chromium-headless-shell': '/usr/bin/chromium-headless-shell' };
  const debian = '/etc/debian_version';

  test("downloads Playwright's own first", async () => {
    const { probes, commands } = machine({ isRoot: true, files: [debian], brings: { ...download, ...apt } });
    expect(await findBrowser(probes)).toEqual({ path: own });
    expect(commands).toEqual(['playwright install chromium']);
  });

  test("installs the distribution's when the download fails and we are root on Debian", async () => {
    const { probes } = machine({ isRoot: true, files: [debian], brings: apt });
    expect(await findBrowser(probes)).toEqual({ path: '/usr/bin/chromium-headless-shell' });
  });

  test('installs the whole browser where the distribution has no other', async () => {
    const { probes } = machine({
      isRoot: true,
      files: [debian],
      brings: { 'apt-get install chromium': '/usr/bin/chromium' },
    });
    expect(await findBrowser(probes)).toEqual({ path: '/usr/bin/chromium' });
  });

  test("installs the distribution's when the download does not start because libraries are missing", async () => {
    const { probes } = machine({ isRoot: true, files: [debian], brings: { ...download, ...apt }, broken: [own] });
    expect(await findBrowser(probes)).toEqual({ path: '/usr/bin/chromium-headless-shell' });
  });

  test.each([
    ['without root', { isRoot: false, files: [debian] }],
    ['on another system', { isRoot: true, files: [] }],
    ['when the package cannot be installed either', { isRoot: true, files: [debian], brings: {} }],
  ])('says what to do %s', async (_, given) => {
    const { probes } = machine({ brings: given.isRoot && given.files.length > 0 ? {} : apt, ...given });
    expect(await findBrowser(probes)).toEqual({ problem: expect.stringContaining('PERPDESK_BROWSER') as string });
  });
});
