// Imports nothing, so that it runs on any Node that can read TypeScript at all.

const oldestMajor = 24;

/** A sentence when this Node is too old for the server, undefined when it will do. */
export function nodeVersionProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldestMajor) return undefined;
  return `Node.js ${oldestMajor} or newer is needed; this is ${version}. "npm start" brings its own and uses it.`;
}
