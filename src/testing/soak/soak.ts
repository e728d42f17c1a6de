import fc from 'fast-check';
import { anyAttack, type Attack } from '../attacks/attacks.ts';
import { performAttack } from '../attacks/perform-attack.ts';
import { findGrowth, toMegabytes, type MemoryReading } from './judge-memory.ts';
import { openSoakedDesk, type SoakedDesk } from './open-soaked-desk.ts';

interface SoakOptions {
  /** The same seed generates the same attacks. */
  readonly seed: number;
  readonly minutes: number;
  /** The length of a minute, which is shorter in a test. */
  readonly minuteMs?: number;
  readonly print: (line: string) => void;
}

const ATTACKERS = 24;
const PATIENCE_MS = 2_000;
const NETWORKS = 200;
const BATCH = 100;

/** Attacks a server and reads its memory each minute. Returns what is wrong, as sentences. */
export async function soak({ seed, minutes, minuteMs = 60_000, print }: SoakOptions): Promise<readonly string[]> {
  const desk = await openSoakedDesk();
  const attacks = sampleForEver(seed);
  const counts = new Map<string, number>();
  const readings: MemoryReading[] = [];
  const passMinute = async (minute: number): Promise<readonly string[]> => {
    const until = performance.now() + minuteMs;
    await attack(desk.port, () => hasEnded || performance.now() >= until, attacks, counts);
    const health = await readHealth(desk);
    const memory = await desk.readMemory();
    readings.push(memory);
    const connections = [...counts].map(([within, count]) => `${within} ${String(count)}`).join(', ');
    print(
      `minute ${String(minute)}: connections: ${connections}; after a collection: memory ` +
        `${toMegabytes(memory.rss)}, heap ${toMegabytes(memory.heap)}, ${String(memory.sockets)} sockets; ` +
        `/healthz: ${health}`,
    );
    return health.startsWith('200') ? [] : [`/healthz: ${health}`];
  };
  let hasEnded = false;
  const ended = desk.ended.then((code) => {
    hasEnded = true;
    return [`The process ended with ${String(code)}:\n${desk.output().slice(-2_000)}`];
  });
  const mistakes: string[] = [];
  try {
    for (let minute = 1; minute <= minutes && mistakes.length === 0; minute += 1)
      mistakes.push(...(await Promise.race([passMinute(minute), ended])));
  } finally {
    const code = await desk.close();
    if (mistakes.length === 0 && code !== 0)
      mistakes.push(`The process ended with ${String(code)} when it was to stop.`);
  }
  return [...mistakes, ...findGrowth(readings)];
}

function* sampleForEver(seed: number): Generator<Attack, never> {
  for (let batch = 0; ; batch += 1) yield* fc.sample(anyAttack, { seed: seed + batch, numRuns: BATCH });
}

/** Runs as many attacks at a time as there are attackers, from one network after another. */
async function attack(
  port: number,
  isOver: () => boolean,
  attacks: Generator<Attack, never>,
  counts: Map<string, number>,
): Promise<void> {
  let network = 0;
  const attackOn = async (): Promise<void> => {
    while (!isOver()) {
      const next = attacks.next().value;
      counts.set(next.within, (counts.get(next.within) ?? 0) + 1);
      network = (network + 1) % NETWORKS;
      await performAttack(next, { port, from: `127.0.1.${String(network + 1)}`, patienceMs: PATIENCE_MS });
    }
  };
  await Promise.all(Array.from({ length: ATTACKERS }, attackOn));
}

async function readHealth(desk: SoakedDesk): Promise<string> {
  const begun = performance.now();
  try {
    const status = await desk.readHealth();
    return `${String(status)} after ${(performance.now() - begun).toFixed(0)} ms`;
  } catch (error) {
    return String(error);
  }
}
