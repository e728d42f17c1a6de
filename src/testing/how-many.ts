/**
 * How often a test kills what it tests, or makes up its input: a few times in a run of all tests, many times in
 * `npm run test:soak`, which runs the files that import this.
 */
export function howMany(few: number, many: number): number {
  return process.env['PERPDESK_SOAK'] === undefined ? few : many;
}
