import type { BrowserContext } from '@playwright/test';

/** Lists the tones that any tab of a browser starts, in hertz. */
export async function countTones(context: BrowserContext): Promise<readonly number[]> {
  const tones: number[] = [];
  await context.exposeFunction('toneStarted', (hertz: number) => {
    tones.push(hertz);
  });
  await context.addInitScript(() => {
    const { toneStarted } = globalThis as unknown as { readonly toneStarted: (hertz: number) => void };
    class CountedOscillator extends OscillatorNode {
      override start(when?: number): void {
        toneStarted(this.frequency.value);
        super.start(when);
      }
    }
    Object.assign(globalThis, { OscillatorNode: CountedOscillator });
  });
  return tones;
}
