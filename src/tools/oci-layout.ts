import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Layer {
  /** The files of the layer, from the root of the image on. */
  readonly folder: string;
  readonly owner: number;
  /** The mode of folders and files, in the notation of `tar --mode`. */
  readonly mode: string;
  readonly createdBy: string;
}

export interface ImageConfig {
  readonly architecture: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly labels: Readonly<Record<string, string>>;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A fixed time rather than that of the build, so that the same files give the same image. */
const CREATED = '1970-01-01T00:00:00Z';

/** Writes an image in the OCI layout (https://github.com/opencontainers/image-spec), as a single file. */
export function writeImage(
  target: string,
  workFolder: string,
  layers: readonly Layer[],
  { architecture, config, labels }: ImageConfig,
  tag: string,
): void {
  const layout = join(workFolder, 'layout');
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  const put = (mediaType: string, bytes: Buffer): Descriptor => {
    const hash = sha256(bytes);
    writeFileSync(join(layout, 'blobs', 'sha256', hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const tars = layers.map((layer) => toTar(workFolder, layer));
  const layerBlobs = tars.map((tar) => put('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(tar)));
  const image = {
    created: CREATED,
    architecture,
    os: 'linux',
    config: { ...config, Labels: labels },
    rootfs: { type: 'layers', diff_ids: tars.map((tar) => `sha256:${sha256(tar)}`) },
    history: layers.map(({ createdBy }) => ({ created: CREATED, created_by: createdBy })),
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: put('application/vnd.oci.image.config.v1+json', toJson(image)),
    layers: layerBlobs,
    annotations: labels,
  };
  const annotations = {
    'io.containerd.image.name': `docker.io/library/${tag}`,
    'org.opencontainers.image.ref.name': tag,
  };
  const index = {
    schemaVersion: 2,
    manifests: [{ ...put(manifest.mediaType, toJson(manifest)), annotations, platform: { architecture, os: 'linux' } }],
  };
  // Docker, unless it stores its images in containerd, loads only the files named by this file of its own format.
  const forDocker = [{ Config: pathOf(manifest.config), RepoTags: [tag], Layers: layerBlobs.map(pathOf) }];
  const files = { 'index.json': index, 'manifest.json': forDocker, 'oci-layout': { imageLayoutVersion: '1.0.0' } };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(layout, name), toJson(content));
  execFileSync('tar', [...reproducible('u=rwX,go=rX', 0), '-C', layout, '-cf', target, 'blobs', ...Object.keys(files)]);
}

function pathOf({ digest }: Descriptor): string {
  return `blobs/${digest.replace(':', '/')}`;
}

/** Packs a layer. The archive has no entry for the folder itself, which would change the root of the image. */
function toTar(workFolder: string, { folder, owner, mode }: Layer): Buffer {
  const path = join(workFolder, 'layer.tar');
  execFileSync('tar', [...reproducible(mode, owner), '-C', folder, '-cf', path, ...readdirSync(folder).toSorted()]);
  return readFileSync(path);
}

function reproducible(mode: string, owner: number): readonly string[] {
  return [
    '--format=ustar',
    '--sort=name',
    '--mtime=@0',
    `--mode=${mode}`,
    `--owner=${String(owner)}`,
    `--group=${String(owner)}`,
    '--numeric-owner',
  ];
}

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
