/** Returns what a response says about its working orders beside the orders themselves: one read of all of them. */
export function toWorkingProof(count: number, complete = true) {
  return {
    complete,
    unproven: complete ? [] : ['cut short'],
    parts: [{ filter: {}, count, read_at: '2026-08-17T23:45:23Z' }],
    round_seconds: null,
    read_from: null,
    read_to: null,
  };
}
