/**
 * Measures every contender once per round. The order changes from round to round, so that none always comes first or
 * always after the same other one, and a slow moment of the machine affects different ones.
 */
export async function runRounds<Name extends string, Result>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Result>,
): Promise<ReadonlyMap<Name, readonly Result[]>> {
  const results = new Map<Name, Result[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of orderOf(names, round)) results.get(name)?.push(await measure(name));
    process.stderr.write(`round ${String(round + 1)} of ${String(rounds)} done\n`);
  }
  return results;
}

/** Rotates the order by one step per round, and reverses it every second round. */
function orderOf<Name>(names: readonly Name[], round: number): readonly Name[] {
  const start = names.length === 0 ? 0 : round % names.length;
  const rotated = [...names.slice(start), ...names.slice(0, start)];
  return round % 2 === 0 ? rotated : rotated.toReversed();
}
