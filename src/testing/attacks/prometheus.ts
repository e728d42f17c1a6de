/** One measured value. */
export interface Measurement {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
/** A histogram or summary is declared once, and consists of several series. */
const PART = /_(?:bucket|sum|count)$/;
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?|Na[nN]|[+-]Inf)$`);

/** Parses the Prometheus text format strictly; throws with the invalid line. */
export function parsePrometheus(text: string): readonly Measurement[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no line end.');
  const declared = new Map<string, Set<string>>();
  const found = new Map<string, Measurement>();
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, kind, about = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind !== undefined) declare(declared, kind, about, rest);
    else measure(declared, found, line);
  }
  return [...found.values()];
}

function declare(declared: Map<string, Set<string>>, kind: string, about: string, rest: string): void {
  const kinds = declared.get(about) ?? new Set();
  if (kinds.has(kind)) throw new Error(`${about} has two ${kind} lines.`);
  if (kind === 'TYPE' && !/^(?:counter|gauge|histogram|summary|untyped)$/.test(rest))
    throw new Error(`${about} has an unknown type: ${rest}`);
  declared.set(about, kinds.add(kind));
}

function measure(
  declared: ReadonlyMap<string, ReadonlySet<string>>,
  found: Map<string, Measurement>,
  line: string,
): void {
  const [all, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (all === undefined) throw new Error(`This is not a sample: ${JSON.stringify(line)}`);
  if (declared.get(name)?.has('TYPE') !== true && declared.get(name.replace(PART, ''))?.has('TYPE') !== true)
    throw new Error(`${name} has no TYPE before its first value.`);
  const key = line.slice(0, line.lastIndexOf(' '));
  if (found.has(key)) throw new Error(`${key} appears twice.`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', text = '']) => [label, text] as const,
  );
  found.set(key, { name, labels: Object.fromEntries(pairs), value: Number(value) });
}
