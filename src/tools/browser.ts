import { join } from 'node:path';

/** What finding a browser needs to know of, and do to, the machine. */
export interface BrowserProbes {
  /** The variable PERPDESK_BROWSER, when it is set. */
  readonly asked: string | undefined;
  /** The folders programs are looked for in. */
  readonly path: readonly string[];
  /** Where Playwright keeps its own browser once it is downloaded. */
  readonly playwrightsOwn: string;
  readonly isRoot: boolean;
  readonly exists: (file: string) => boolean;
  /** Whether the program ended well. */
  readonly succeeds: (program: string, args: readonly string[]) => Promise<boolean>;
  /** The same for a program that comes with the project. */
  readonly toolSucceeds: (tool: string, args: readonly string[]) => Promise<boolean>;
  readonly say: (line: string) => void;
}

export type FoundBrowser = { readonly path: string } | { readonly problem: string };

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function starts(probes: BrowserProbes, file: string): Promise<boolean> {
  return probes.succeeds(file, ['--version']);
}

/** A file of the right name is not enough: some systems ship a placeholder that only tells how to install it. */
async function installed(probes: BrowserProbes): Promise<string | undefined> {
  const places = names.flatMap((name) => probes.path.map((folder) => join(folder, name)));
  for (const file of places.filter((place) => probes.exists(place))) {
    if (await starts(probes, file)) return file;
  }
  return undefined;
}

async function downloaded(probes: BrowserProbes): Promise<string | undefined> {
  const own = probes.playwrightsOwn;
  if (probes.exists(own) && (await starts(probes, own))) return own;
  probes.say("perpdesk: no Chromium or Chrome found; downloading Playwright's own");
  // One that lacks the system's libraries is there but does not start.
  const fetched = await probes.toolSucceeds('playwright', ['install', 'chromium']);
  return fetched && (await starts(probes, own)) ? own : undefined;
}

async function fromDistribution(probes: BrowserProbes): Promise<string | undefined> {
  if (!probes.isRoot || !probes.exists('/etc/debian_version')) return undefined;
  probes.say("perpdesk: the download did not work; installing the distribution's chromium package");
  // One source that does not answer makes this fail although the others may have the package.
  await probes.succeeds('apt-get', ['update', '-qq']);
  const fetched = await probes.succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
  return fetched ? installed(probes) : undefined;
}

/** A browser to test in: the one asked for, else one that is there, else one that can be had. */
export async function findBrowser(probes: BrowserProbes): Promise<FoundBrowser> {
  const { asked } = probes;
  if (asked !== undefined && asked !== '') {
    return (await starts(probes, asked)) ? { path: asked } : { problem: `PERPDESK_BROWSER is ${asked}, which does not start.` };
  }
  const path = (await installed(probes)) ?? (await downloaded(probes)) ?? (await fromDistribution(probes));
  return path === undefined
    ? { problem: 'No browser: install Chromium or Chrome, or set PERPDESK_BROWSER to the path of one.' }
    : { path };
}
