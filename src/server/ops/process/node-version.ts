// Imports nothing, so that it runs on any Node that can read TypeScript at all.

const oldestMajor = 24;

/** A sentence if this Node is too old for the server. */
export function nodeVersionProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldestMajor) return undefined;
  return `Node.js ${oldestMajor} or newer is required; this is ${version}. "npm start" uses its own.`;
}
