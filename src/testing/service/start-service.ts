import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { installPackage } from '../install-package.ts';
import { callsOf, listOf, readService, type ServiceSettings } from './unit-file.ts';

/** The argument of run-as-service.py. */
interface ServiceStart {
  /** Folders and files of the test by the place at which the service sees them. */
  readonly folders: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  readonly protectsSystem: boolean;
  readonly hidesKernel: boolean;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly privateUsers: boolean;
  readonly capabilities: boolean;
  readonly umask: number;
  readonly calls: readonly string[] | null;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Where systemd creates the folders of a service, by the setting that names them. */
const PLACES = { StateDirectory: '/var/lib', LogsDirectory: '/var/log', RuntimeDirectory: '/run' } as const;

/** A machine in a folder: what installing Perpdesk changes, without a change to the machine of the test. */
export interface Machine {
  /** The path of a file of the machine for the test. */
  readonly pathOf: (path: string) => string;
  /** Runs the command of a unit to its end, or until its output contains a text. */
  readonly start: (unit: readonly string[], environmentFile: string, until?: string) => Promise<RunningService>;
  readonly remove: () => void;
}

interface RunningService {
  /** Null while it runs. */
  readonly code: number | null;
  readonly output: string;
  readonly stop: () => Promise<void>;
}

/** A service that says nothing is ended, so that the test sees what it has printed. */
const LONGEST_MS = 180_000;

/** The user that the page about installing creates. Its number is one that no distribution assigns. */
const SERVICE_USER = { name: 'perpdesk', id: 64_901 };

/** Installs the package as `npm install --global` does, beside the Node.js of the test. */
export function createMachine(packageFile: string): Machine {
  if (
    process.getuid?.() !== 0 ||
    spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL("libseccomp.so.2")']).status !== 0
  )
    throw new Error('Running a command as systemd would requires root, Python 3 and libseccomp.so.2, on Linux.');
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-machine-'));
  chmodSync(folder, 0o755);
  const pathOf = (path: string): string => join(folder, path);
  for (const path of ['/usr/local/bin', '/var/lib', '/var/log', '/run', '/etc', '/tmp'])
    mkdirSync(pathOf(path), { recursive: true });
  chmodSync(pathOf('/tmp'), 0o1777);
  copyFileSync(process.execPath, pathOf('/usr/local/bin/node'));
  installPackage(packageFile, pathOf('/usr/local/lib/node_modules/perpdesk'), 'copied');
  const program = 'lib/node_modules/perpdesk/lib/perpdesk.js';
  chmodSync(pathOf(`/usr/local/${program}`), 0o755);
  symlinkSync(`../${program}`, pathOf('/usr/local/bin/perpdesk'));
  const { name, id } = SERVICE_USER;
  addLine('/etc/passwd', `${name}:x:${String(id)}:${String(id)}::/var/lib/${name}:/usr/sbin/nologin`, pathOf);
  addLine('/etc/group', `${name}:x:${String(id)}:`, pathOf);
  return {
    pathOf,
    start: (unit, environmentFile, until) => start(toStart(readService(unit), environmentFile, pathOf), until),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

function addLine(path: string, line: string, pathOf: Machine['pathOf']): void {
  const others = readFileSync(path, 'utf8')
    .split('\n')
    .filter((other) => !other.startsWith(`${SERVICE_USER.name}:`));
  writeFileSync(pathOf(path), `${line}\n${others.join('\n')}`);
}

function toStart(settings: ServiceSettings, environmentFile: string, pathOf: Machine['pathOf']): ServiceStart {
  const last = (name: string): string => settings.get(name)?.at(-1) ?? '';
  const { id } = SERVICE_USER;
  if (last('User') !== SERVICE_USER.name || last('Group') !== SERVICE_USER.name)
    throw new Error(`The unit does not run as ${SERVICE_USER.name}.`);
  const writable = Object.entries(PLACES).flatMap(([setting, place]) =>
    listOf(settings, setting).map((name) => {
      const path = `${place}/${name}`;
      mkdirSync(pathOf(path), { recursive: true });
      chownSync(pathOf(path), id, id);
      chmodSync(pathOf(path), Number.parseInt(last(`${setting}Mode`) || '0755', 8));
      return path;
    }),
  );
  const places = ['/usr/local', '/var/lib', '/var/log', '/run', '/etc/passwd', '/etc/group'];
  return {
    // The folder of the test is in /tmp, which is replaced last.
    folders: Object.fromEntries([...places, '/tmp'].map((place) => [place, pathOf(place)])),
    writable: [...writable, '/tmp'],
    protectsSystem: last('ProtectSystem') === 'strict',
    hidesKernel: last('ProcSubset') === 'pid',
    uid: id,
    gid: id,
    groups: listOf(settings, 'SupplementaryGroups').map(findGroup),
    privateUsers: last('PrivateUsers') === 'yes',
    capabilities: !settings.has('CapabilityBoundingSet'),
    umask: Number.parseInt(last('UMask') || '0022', 8),
    calls: callsOf(settings),
    command: toArguments(last('ExecStart')),
    environment: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/var/lib/perpdesk',
      ...Object.fromEntries((settings.get('Environment') ?? []).map((line) => line.split(/=(.*)/) as [string, string])),
      ...(parseEnv(environmentFile) as Record<string, string>),
    },
  };
}

/** Splits a command as systemd does, as far as our units need it. */
function toArguments(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replaceAll('%%', '%').replaceAll('$$', '$'),
  );
}

/** Returns the number of a group of this machine. */
export function findGroup(name: string): number {
  const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(readFileSync('/etc/group', 'utf8')) ?? [];
  if (id === undefined) throw new Error(`This machine has no group ${name}.`);
  return Number(id);
}

async function start(service: ServiceStart, until: string | undefined): Promise<RunningService> {
  const script = join(import.meta.dirname, 'run-as-service.py');
  const child = spawn('python3', [script, JSON.stringify(service)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  const ended = once(child, 'close');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (until !== undefined && output.includes(until)) resolve();
      });
    child.once('error', reject);
    child.once('close', () => {
      resolve();
    });
  });
  return {
    get code() {
      return child.exitCode;
    },
    get output() {
      return output;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
