// Attacks a server for minutes with everything a stranger can send, and fails if it ends or if its memory grows:
// main.ts [--minutes 10] [--seed <number>].
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
console.log(`soak: ${String(minutes)} minutes with seed ${String(seed)}`);
const mistakes = await soak({
  seed,
  minutes,
  print: (line) => {
    console.log(line);
  },
});
for (const mistake of mistakes) console.error(`soak: ${mistake}`);
console.log(mistakes.length === 0 ? 'soak: passed' : 'soak: failed');
process.exitCode = mistakes.length === 0 ? 0 : 1;
