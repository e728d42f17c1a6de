/** What Vite's manifest says about each built file: the files it needs at once, and those it fetches later. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

export type Manifest = Readonly<Record<string, Chunk>>;

export function toManifest(json: string): Manifest {
  return JSON.parse(json) as Manifest;
}

/** A budget in the form that size-limit reads. */
interface Budget {
  readonly name: string;
  readonly path: readonly string[];
  readonly limit: string;
  readonly brotli: boolean;
}

/** The screen behind "/" loads with the shell, so it counts towards a first visit. */
const firstScreen = 'src/page/screens/markets/markets-screen.tsx';
const charts = '/lightweight-charts-';

function withImports(manifest: Manifest, keys: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...keys];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    waiting.push(...(manifest[key]?.imports ?? []));
  }
  return reached;
}

function scriptsOf(manifest: Manifest, keys: Iterable<string>): string[] {
  return [...keys].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'));
}

function filesOfType(manifest: Manifest, suffix: string): string[] {
  const files = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  return [...new Set(files)].filter((file) => file.endsWith(suffix));
}

function isFirst([key, { isEntry }]: readonly [string, Chunk]): boolean {
  return isEntry ?? key === firstScreen;
}

type Row = readonly [name: string, limit: string, files: readonly string[]];

function rowsOfScripts(manifest: Manifest): Row[] {
  const chunks = Object.entries(manifest);
  const first = withImports(
    manifest,
    chunks.filter(isFirst).map(([key]) => key),
  );
  const later = chunks
    .filter(([key, { isDynamicEntry }]) => isDynamicEntry === true && !first.has(key))
    .map(([key]) => key);
  const own = (key: string): string[] => [...withImports(manifest, [key])].filter((each) => !first.has(each));
  return [
    // 2.4 kB of this find the figure to blame where figures contradict each other, and rates that perpetuals cannot share.
    // 1.4 kB find out who is signed in, hide what they may not use, and load the rest if people sign in. The names of
    // files in it change with their content and do not compress, so its size varies by 0.2 kB between builds. 0.1 kB give
    // predicted rates their age.
    ['first screen, JavaScript', '136.7 kB', scriptsOf(manifest, first)],
    // 3 kB of the price screen are the actions on a product, its export and the facts of its title line; 2.5 kB read and
    // check the indicators of its address. What computes and draws them loads only if there are any.
    // 2 kB of the order screens look for orders that cannot be as the exchange says.
    ...later.map((key): Row => [
      `${key}, its own JavaScript`,
      // Price, the largest, keeps its setup for the next visit and says where no alert can be.
      '55.5 kB',
      scriptsOf(manifest, own(key)).filter((file) => !file.includes(charts)),
    ]),
    // The names of other files in it change how well it compresses, by about 100 bytes. 0.6 kB of it mark days, return the
    // value at the crosshair, and let drawings be laid over a chart, with labels at its axis.
    ['charts, JavaScript', '51.4 kB', filesOfType(manifest, '.js').filter((file) => file.includes(charts))],
  ];
}

/**
 * Returns what a visitor's browser must download for each screen, compressed as it is sent. A part that is not built
 * has no row.
 */
export function budgetsOf(manifest: Manifest, folder: string): Budget[] {
  const rows: readonly Row[] = [
    ...rowsOfScripts(manifest),
    ['all styles', '16.3 kB', filesOfType(manifest, '.css')],
    ['all fonts', '120 kB', filesOfType(manifest, '.woff2')],
  ];
  // The format of fonts is already compressed.
  return rows
    .filter(([, , files]) => files.length > 0)
    .map(([name, limit, files]) => ({
      name,
      limit,
      path: files.map((file) => `${folder}/${file}`),
      brotli: name !== 'all fonts',
    }));
}
