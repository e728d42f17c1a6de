/** The codings we keep, best first: of two that a client likes equally, the earlier one is sent. */
export const contentCodings = ['br', 'gzip', 'identity'] as const;

export type ContentCoding = (typeof contentCodings)[number];

/**
 * The coding to send of those there are (RFC 9110, 12.5.3). `identity` is always there, and is sent when the client
 * accepts nothing we have: an answer it can refuse is more use than none.
 */
export function chooseContentCoding(header: string | undefined, available: readonly ContentCoding[]): ContentCoding {
  if (header === undefined) return 'identity';
  const weights = parseWeights(header);
  let best: ContentCoding = 'identity';
  let bestWeight = 0;
  for (const coding of contentCodings) {
    const weight = weightOf(coding, weights);
    if (weight <= bestWeight || !available.includes(coding)) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

/** Clients say the same few things over and over: each is read once. */
export function createCodingChooser(available: readonly ContentCoding[]): (header: string | undefined) => ContentCoding {
  const remembered = new Map<string, ContentCoding>();
  return (header = '') => {
    const known = remembered.get(header);
    if (known !== undefined) return known;
    const chosen = chooseContentCoding(header, available);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    if (header.length <= LONGEST_REMEMBERED) remembered.set(header, chosen);
    return chosen;
  };
}

const MOST_REMEMBERED = 100;
const LONGEST_REMEMBERED = 200;

/** Not being named leaves `identity` acceptable, but behind anything the client did name. */
const unnamedIdentityWeight = 0.0001;

function weightOf(coding: ContentCoding, weights: ReadonlyMap<string, number>): number {
  const named = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
  if (named !== undefined) return named;
  return weights.get('*') ?? (coding === 'identity' ? unnamedIdentityWeight : 0);
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (coding !== '') weights.set(coding, parseWeight(parameters));
  }
  return weights;
}

const weightPattern = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** A weight that cannot be read refuses the coding: the plain form is understood by everybody. */
function parseWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return Number(weightPattern.exec(weight)?.[1] ?? 0);
}
