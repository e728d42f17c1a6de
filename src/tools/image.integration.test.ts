import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { sendRequest } from '#testing/http-client.ts';
import { CONTAINER_USER, DATA_FOLDER, NODE, PROGRAM, TEMPORARY_FOLDER } from './image-root.ts';
import { root } from './paths.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const folder = mkdtempSync(join(tmpdir(), 'perpdesk-image-'));
const [layout, unpacked] = [join(folder, 'layout'), join(folder, 'root')];
const MAX_BYTES = 70_000_000;

interface Described {
  readonly digest: string;
  readonly size: number;
}

/** How Docker describes images in its own format. */
type DockerImages = readonly [
  { readonly Config: string; readonly RepoTags: readonly string[]; readonly Layers: readonly string[] },
];

interface Image {
  readonly config: Readonly<Record<string, unknown>>;
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

function readBlob({ digest, size }: Described): Buffer {
  const bytes = readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
  expect([digestOf(bytes), bytes.length]).toEqual([digest, size]);
  return bytes;
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString());

let image: Image;
let layers: readonly Buffer[];

beforeAll(() => {
  execFileSync(process.execPath, ['src/tools/launch.mjs', 'image'], { cwd: root, stdio: 'pipe' });
  for (const path of [layout, unpacked]) mkdirSync(path);
  execFileSync('tar', ['-xf', join(root, `perpdesk-${version}-oci.tar`), '-C', layout]);
  const { manifests } = parse(readFileSync(join(layout, 'index.json'))) as { readonly manifests: readonly [Described] };
  const manifest = parse(readBlob(manifests[0])) as {
    readonly config: Described;
    readonly layers: readonly Described[];
  };
  image = parse(readBlob(manifest.config)) as Image;
  layers = manifest.layers.map((layer) => gunzipSync(readBlob(layer)));
  for (const layer of layers) execFileSync('tar', ['-xp', '-C', unpacked], { input: layer });
}, 300_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('is an OCI layout whose digests are right, small, and for a user without rights', () => {
  expect(readFileSync(join(layout, 'oci-layout'), 'utf8')).toBe('{"imageLayoutVersion":"1.0.0"}');
  expect(image.rootfs.diff_ids).toEqual(layers.map(digestOf));
  expect(image.config).toMatchObject({
    User: `${String(CONTAINER_USER)}:${String(CONTAINER_USER)}`,
    Entrypoint: [NODE, PROGRAM],
    Cmd: ['serve'],
    Volumes: { [DATA_FOLDER]: {} },
  });
  const compressed = readdirSync(join(layout, 'blobs', 'sha256')).reduce(
    (sum, name) => sum + readFileSync(join(layout, 'blobs', 'sha256', name)).length,
    0,
  );
  expect(compressed).toBeLessThan(MAX_BYTES);
});

it('is the same image to a Docker that reads only its own format', () => {
  const [{ Config, RepoTags, Layers }] = parse(readFileSync(join(layout, 'manifest.json'))) as DockerImages;
  expect(RepoTags).toEqual([`perpdesk:${version}`]);
  expect(parse(readFileSync(join(layout, Config)))).toEqual(image);
  expect(Layers.map((path) => digestOf(gunzipSync(readFileSync(join(layout, path)))))).toEqual(image.rootfs.diff_ids);
});

it('has nothing that its user could change but the data folder and temporary files, and no shell', () => {
  const owners = layers.map(
    (layer) =>
      new Set(
        execFileSync('tar', ['-tv', '--numeric-owner'], { input: layer, encoding: 'utf8', maxBuffer: 2 ** 26 })
          .trim()
          .split('\n')
          .map((line) => line.split(/\s+/)[1]),
      ),
  );
  expect(owners).toEqual([
    new Set(['0/0']),
    new Set(['0/0']),
    new Set(['0/0']),
    new Set([`${String(CONTAINER_USER)}/${String(CONTAINER_USER)}`]),
  ]);
  const modeOf = (path: string): number => statSync(path).mode & 0o1777;
  expect([unpacked, join(unpacked, DATA_FOLDER), join(unpacked, TEMPORARY_FOLDER)].map(modeOf)).toEqual([
    modeOf(layout),
    0o700,
    0o1777,
  ]);
  expect(readdirSync(join(unpacked, 'usr', 'bin'))).toEqual(['node']);
  expect(readdirSync(join(unpacked, 'opt', 'perpdesk', 'node_modules'))).not.toContain('vite');
});

/**
 * Runs the image in its own root folder, and as its user if this user may become another one. An engine adds more
 * isolation, but no files.
 */
function inside(...args: readonly string[]): ChildProcessWithoutNullStreams {
  const isRoot = process.getuid?.() === 0;
  const chroot = isRoot
    ? ['chroot', `--userspec=${String(CONTAINER_USER)}:${String(CONTAINER_USER)}`]
    : ['unshare', '--map-root-user', 'chroot'];
  const [program = '', ...before] = chroot;
  return spawn(program, [...before, unpacked, NODE, PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], DESK_DATA_DIR: DATA_FOLDER, DESK_PORT: '0', DESK_LOG_LEVEL: 'error' },
  });
}

it('starts from its own files, is healthy, and stops cleanly', { timeout: 120_000 }, async () => {
  if (process.getuid?.() === 0) chownSync(join(unpacked, DATA_FOLDER), CONTAINER_USER, CONTAINER_USER);
  const healthOf = async (): Promise<number | null> => ((await once(inside('health'), 'exit')) as [number | null])[0];
  expect(await healthOf()).toBe(1);
  const desk = inside('serve');
  const exited = once(desk, 'exit');
  onTestFinished(() => void desk.kill('SIGKILL'));
  const [line] = (await once(createInterface(desk.stdout), 'line')) as [string];
  const address = /^perpdesk: ready at (\S+)$/.exec(line)?.[1] ?? expect.fail(line);
  expect((await sendRequest(address)).body.toString()).toContain('<title>Perpdesk</title>');
  expect((await sendRequest(address, { path: '/metrics' })).status).toBe(200);
  expect(await healthOf()).toBe(0);
  desk.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
