import { oldestMajor } from '#cli/node-flags.mjs';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const KEPT = ['name', 'version', 'description', 'license', 'type'] as const;

/**
 * Builds the package.json of the published package: it names what the bundled code imports, in exactly the tested
 * versions.
 */
export function writeManifest(manifest: string, lockFile: string, imported: readonly string[]): string {
  const own = JSON.parse(manifest) as Manifest & Readonly<Record<(typeof KEPT)[number], unknown>>;
  const { packages } = JSON.parse(lockFile) as LockFile;
  const dependencies = imported.map((name) => {
    const version = packages[`node_modules/${name}`]?.version;
    if (version === undefined || own.dependencies[name] === undefined)
      throw new Error(`${name} is imported, but it is not among the dependencies of Perpdesk.`);
    return [name, version] as const;
  });
  return `${JSON.stringify(
    {
      ...Object.fromEntries(KEPT.map((key) => [key, own[key]])),
      engines: { node: `>=${String(oldestMajor)}` },
      bin: { perpdesk: 'lib/perpdesk.js' },
      dependencies: Object.fromEntries(dependencies),
    },
    null,
    2,
  )}\n`;
}
