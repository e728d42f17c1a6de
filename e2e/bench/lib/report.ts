import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../src/tools/paths.mjs';
import { describeMachine } from './machine.ts';
import { formatTable } from './table.ts';

export const artifacts = join(root, 'e2e', 'artifacts', 'bench');

export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly relation: 'at most' | 'at least';
  readonly limit: number;
  readonly unit: string;
}

export function isMet({ measured, relation, limit }: Goal): boolean {
  return relation === 'at most' ? measured <= limit : measured >= limit;
}

/** Prints the goals and writes all measurements as JSON. A missed goal is a finding, not a failure. */
export function publish(name: string, goals: readonly Goal[], results: unknown): void {
  const machine = describeMachine();
  console.log(`\n${formatTable(['goal', 'measured', 'wanted', ''], goals.map(toRow))}`);
  const missed = goals.filter((goal) => !isMet(goal)).length;
  console.log(missed === 0 ? '\nEvery goal is met.' : `\nMISSED: ${String(missed)} of ${String(goals.length)} goals.`);

  const file = join(artifacts, `${name}.json`);
  mkdirSync(artifacts, { recursive: true });
  const judged = goals.map((goal) => ({ ...goal, met: isMet(goal) }));
  writeFileSync(file, `${JSON.stringify({ name, machine, goals: judged, results }, null, 2)}\n`);
  console.log(
    `Node ${machine.node}, ${String(machine.cores)} cores (${machine.cpu}), load ${machine.load.toFixed(2)}; ${file}`,
  );
}

function toRow(goal: Goal): string[] {
  return [
    goal.what,
    `${toDigits(goal.measured)} ${goal.unit}`,
    `${goal.relation} ${toDigits(goal.limit)} ${goal.unit}`,
    isMet(goal) ? 'met' : 'MISSED',
  ];
}

/** Formats a value with three significant digits, which is what a benchmark can resolve. */
export function toDigits(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
