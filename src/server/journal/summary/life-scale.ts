/** Lives are kept in steps of a tenth, so a median is within a twentieth of the true one. */
const STEP = Math.log(1.1);

/** Of a life in milliseconds. */
export function toLifeStep(millis: number): number {
  return Math.floor(Math.log(Math.max(millis, 1)) / STEP);
}

/** The middle of a step, in milliseconds. */
function toMillis(step: number): number {
  return Math.exp((step + 0.5) * STEP);
}

/** How many lives are in each step. */
export type Lives = Map<number, number>;

export function addLife(lives: Lives, step: number, count = 1): void {
  lives.set(step, (lives.get(step) ?? 0) + count);
}

export function countLives(lives: Lives): number {
  return [...lives.values()].reduce((sum, count) => sum + count, 0);
}

/** In milliseconds, the lower one of two in the middle; null without lives. */
export function medianLife(lives: Lives): number | null {
  let left = Math.ceil(countLives(lives) / 2);
  for (const [step, count] of [...lives].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return toMillis(step);
  }
  return null;
}
