/** The most particular first: each of these also names itself as those after it. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\w*\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Chrom\w+\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** A browser and its system in words, such as "Firefox 150, Linux"; one that is not known by its own text. */
export function describeBrowser(text: string): string {
  const [pattern, browser] = BROWSERS.find(([each]) => each.test(text)) ?? [];
  if (pattern === undefined || browser === undefined) return text === '' ? 'unknown' : text;
  const version = pattern.exec(text)?.[1] ?? '';
  const [, system] = SYSTEMS.find(([each]) => each.test(text)) ?? [];
  return system === undefined ? `${browser} ${version}` : `${browser} ${version}, ${system}`;
}
