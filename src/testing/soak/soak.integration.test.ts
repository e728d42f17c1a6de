import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it(
  'a desk survives whatever strangers send for a moment, and its memory can be read',
  { timeout: 120_000 },
  async () => {
    const lines: string[] = [];
    // Growth is judged from the second minute on, so there is none here.
    expect(await soak({ seed: 1, minutes: 2, minuteMs: 2_000, print: (line) => void lines.push(line) })).toEqual([]);
    expect(lines).toEqual(
      [1, 2].map(
        (minute) =>
          expect.stringMatching(
            new RegExp(
              `^minute ${String(minute)}: connections: (?=.*tcp \\d)(?=.*http/1\\.1 \\d)(?=.*h2 \\d).*memory \\d.*heap \\d.*/healthz: 200`,
            ),
          ) as string,
      ),
    );
  },
);
