/** Returns the path of the first NaN or Infinity in a value, or null. */
export function findNonFinite(value: unknown, path = '$'): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${path} is ${String(value)}`;
  if (typeof value !== 'object' || value === null) return null;
  const entries: Iterable<readonly [unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  for (const [key, inner] of entries) {
    const found = findNonFinite(inner, `${path}.${String(key)}`);
    if (found !== null) return found;
  }
  return null;
}
