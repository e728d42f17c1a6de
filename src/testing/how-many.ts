/**
 * Returns how many rounds a test makes that kills processes or generates its input: a few in a run of all tests, many
 * in `npm run test:soak`, which runs the files that import this.
 */
export function howMany(few: number, many: number): number {
  return process.env['PERPDESK_SOAK'] === undefined ? few : many;
}
