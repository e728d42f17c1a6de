// `npm run image`: an OCI image of the packed Perpdesk, `perpdesk-<version>-oci.tar`, without a container engine or a base image.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CONTAINER_USER,
  DATA_FOLDER,
  NODE,
  PROGRAM,
  writeData,
  writeProgram,
  writeRuntime,
  writeTemporary,
} from './image-root.ts';
import { writeImage, type ImageConfig } from './oci-layout.ts';
import { cacheFolderOf, root } from './paths.mjs';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const SECOND_NS = 1_000_000_000;

/** Writes the image and returns the file's name. */
function build(): string {
  const architecture = process.platform === 'linux' ? ARCHITECTURES[process.arch] : undefined;
  if (architecture === undefined)
    throw new Error('An image contains the Node.js of the machine it is built on: build it on Linux, x64 or arm64.');
  execFileSync(process.execPath, [join(root, 'src', 'tools', 'package.ts')], { stdio: 'ignore' });
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<'name' | 'version' | 'description' | 'license', string>>;
  const work = join(cacheFolderOf(root), 'image');
  rmSync(work, { recursive: true, force: true });
  const folder = (part: string): string => {
    mkdirSync(join(work, part), { recursive: true });
    return join(work, part);
  };
  const [runtime, temporary, program, data] = [
    folder('runtime'),
    folder('temporary'),
    folder('program'),
    folder('data'),
  ];
  writeRuntime(runtime);
  writeTemporary(temporary);
  writeData(data);
  writeProgram(program, join(root, `${name}-${version}.tgz`), root);
  const layers = [
    { folder: runtime, owner: 0, mode: 'u=rwX,go=rX', createdBy: `Node.js ${process.versions.node} and its libraries` },
    { folder: temporary, owner: 0, mode: 'a=rwx,o+t', createdBy: 'the folder for temporary files' },
    { folder: program, owner: 0, mode: 'u=rwX,go=rX', createdBy: `${name} ${version} and its packages` },
    { folder: data, owner: CONTAINER_USER, mode: 'u=rwX,go=', createdBy: 'the data folder' },
  ];
  const file = `${name}-${version}-oci.tar`;
  writeImage(
    join(root, file),
    work,
    layers,
    describe(architecture, { title: name, version, description, licenses: license }),
    `${name}:${version}`,
  );
  rmSync(work, { recursive: true });
  return file;
}

function describe(architecture: string, about: Readonly<Record<string, string>>): ImageConfig {
  return {
    architecture,
    labels: Object.fromEntries(
      Object.entries(about).map(([name, value]) => [`org.opencontainers.image.${name}`, value]),
    ),
    config: {
      User: `${String(CONTAINER_USER)}:${String(CONTAINER_USER)}`,
      Env: [`PATH=/usr/bin`, `DESK_DATA_DIR=${DATA_FOLDER}`],
      Entrypoint: [NODE, PROGRAM],
      Cmd: ['serve'],
      WorkingDir: DATA_FOLDER,
      Volumes: { [DATA_FOLDER]: {} },
      StopSignal: 'SIGTERM',
      // The health check is not part of the OCI format. Docker reads it here; other engines take it from their command
      // line or compose.yaml.
      Healthcheck: {
        Test: ['CMD', NODE, PROGRAM, 'health'],
        Interval: 30 * SECOND_NS,
        Timeout: 10 * SECOND_NS,
        StartPeriod: 120 * SECOND_NS,
        Retries: 3,
      },
    },
  };
}

const file = build();
console.log(`perpdesk: built ${file}, ${(statSync(join(root, file)).size / 1_000_000).toFixed(1)} MB`);
