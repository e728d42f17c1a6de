/** The supported codings, best first: of two that a client weighs equally, the earlier one is sent. */
export const contentCodings = ['br', 'gzip', 'identity'] as const;

export type ContentCoding = (typeof contentCodings)[number];

/**
 * The coding to send (RFC 9110, 12.5.3). `identity` is always available, and is sent if the client accepts none of the
 * others: a response it can reject is more useful than none.
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

/** Remembers the choice for each header: clients send the same few over and over. */
export function createCodingChooser(
  available: readonly ContentCoding[],
): (header: string | undefined) => ContentCoding {
  const remembered = new Map<string, ContentCoding>();
  return (header = '') => {
    const known = remembered.get(header);
    if (known !== undefined) return known;
    const chosen = chooseContentCoding(header, available);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (header.length <= MAX_REMEMBERED_LENGTH) remembered.set(header, chosen);
    return chosen;
  };
}

const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 200;

/** `identity` is acceptable even if the client does not name it, but only after everything it does name. */
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

/** An unreadable weight rejects the coding: every client understands the plain form. */
function parseWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return Number(weightPattern.exec(weight)?.[1] ?? 0);
}
