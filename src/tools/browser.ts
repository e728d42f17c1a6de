import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '#cli/run.mjs';

/** What the search for a browser reads from the machine, and what it does to it. */
export interface BrowserProbes {
  /** The variable PERPDESK_BROWSER. */
  readonly chosen: string | undefined;
  /** The folders to search for programs. */
  readonly path: readonly string[];
  /** Where Playwright keeps the browser it downloads. */
  readonly playwrightsOwn: () => Promise<string>;
  readonly isRoot: boolean;
  readonly exists: (file: string) => boolean;
  /** Whether the program exited with 0. */
  readonly succeeds: (program: string, args: readonly string[]) => Promise<boolean>;
  readonly say: (line: string) => void;
}

/** The download is abandoned after this time, because it may be blocked where the tests run. */
const connectionTimeoutMs = '10000';

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const quiet = args.includes('--version');
  const env = {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: connectionTimeoutMs,
  };
  try {
    return (await run(program, args, { env, stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'] })) === 0;
  } catch {
    return false;
  }
}

function thisMachine(): BrowserProbes {
  return {
    chosen: process.env['PERPDESK_BROWSER'],
    path: (process.env['PATH'] ?? '').split(delimiter),
    playwrightsOwn: async () => (await import('@playwright/test')).chromium.executablePath(),
    isRoot: process.getuid?.() === 0,
    exists: existsSync,
    succeeds,
    say: (line) => {
      console.log(line);
    },
  };
}

type FoundBrowser = { readonly path: string } | { readonly problem: string };

/** The first one has no window: it draws the same pages and halves the time of the tests. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLAYWRIGHT = join('node_modules', '.bin', 'playwright');
/** The packages of Debian, whose older versions lack the first one. */
const packages = ['chromium-headless-shell', 'chromium'];

function starts(probes: BrowserProbes, file: string): Promise<boolean> {
  return probes.succeeds(file, ['--version']);
}

/**
 * Whether a program runs. A file of the right name is not enough: on some systems it is a placeholder that only
 * explains how to install the browser.
 */
async function installed(probes: BrowserProbes): Promise<string | undefined> {
  const places = names.flatMap((name) => probes.path.map((folder) => join(folder, name)));
  for (const file of places.filter((place) => probes.exists(place))) {
    if (await starts(probes, file)) return file;
  }
  return undefined;
}

async function downloaded(probes: BrowserProbes): Promise<string | undefined> {
  const own = await probes.playwrightsOwn();
  if (probes.exists(own) && (await starts(probes, own))) return own;
  probes.say("perpdesk: no Chromium or Chrome found; downloading Playwright's own");
  // A browser without its system libraries is there but does not start.
  const fetched = await probes.succeeds(process.execPath, [PLAYWRIGHT, 'install', 'chromium']);
  return fetched && (await starts(probes, own)) ? own : undefined;
}

async function fromDistribution(probes: BrowserProbes): Promise<string | undefined> {
  if (!probes.isRoot || !probes.exists('/etc/debian_version')) return undefined;
  probes.say("perpdesk: the download failed; installing the distribution's package of Chromium");
  // This fails if one package source is down, although another one may have the package.
  await probes.succeeds('apt-get', ['update', '-qq']);
  for (const name of packages) {
    if (await probes.succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name]))
      return installed(probes);
  }
  return undefined;
}

/** Finds a browser for the tests: the chosen one, else an installed one, else a downloaded one. */
export async function findBrowser(probes = thisMachine()): Promise<FoundBrowser> {
  const { chosen } = probes;
  if (chosen !== undefined && chosen !== '') {
    return (await starts(probes, chosen))
      ? { path: chosen }
      : { problem: `PERPDESK_BROWSER is ${chosen}, which does not start.` };
  }
  const path = (await installed(probes)) ?? (await downloaded(probes)) ?? (await fromDistribution(probes));
  return path === undefined
    ? { problem: 'No browser found: install Chromium or Chrome, or set PERPDESK_BROWSER to its path.' }
    : { path };
}
