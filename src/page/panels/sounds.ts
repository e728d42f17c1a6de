/** In hertz. No sound resembles that of an outage. */
const SOUNDS: Readonly<Record<string, readonly number[]>> = {
  chime: [784, 988, 1_175],
  bell: [1_047, 1_047],
  pulse: [587, 784, 587, 784],
};
const VOLUMES: Readonly<Record<string, number>> = { quiet: 0.06, medium: 0.2, loud: 0.5 };

export function playAlert(context: AudioContext, sound: string, volume: string): void {
  playTones(context, SOUNDS[sound] ?? [], VOLUMES[volume] ?? 0);
}

const TONE_SECONDS = 0.22;

/** Plays short tones in sequence, given in hertz. Synthesised tones need no audio file. */
export function playTones(context: AudioContext, frequencies: readonly number[], loudness: number): void {
  for (const [index, frequency] of frequencies.entries()) {
    const from = context.currentTime + index * TONE_SECONDS;
    const oscillator = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    // A tone that starts or ends at full volume clicks.
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(loudness, from + 0.02);
    volume.gain.linearRampToValueAtTime(0, from + TONE_SECONDS);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + TONE_SECONDS);
  }
}

export interface SoundOutput {
  /** Null before the first click or key press on the page: browsers allow no sound until then. */
  readonly context: () => AudioContext | null;
  readonly dispose: () => void;
}

/**
 * Creates the sound output of this tab. Sounds requested before the first click are dropped, because playing them at
 * that click would be too late.
 */
export function createSoundOutput(): SoundOutput {
  const listening = new AbortController();
  const { signal } = listening;
  let context: AudioContext | null = null;
  const allow = (): void => {
    context ??= new AudioContext();
  };
  // The person may have clicked long before sound was switched on.
  if (navigator.userActivation.hasBeenActive) allow();
  for (const type of ['pointerdown', 'keydown'] as const) addEventListener(type, allow, { once: true, signal });
  return {
    context: () => context,
    dispose: () => {
      listening.abort();
      void context?.close();
    },
  };
}

/**
 * Runs a task in one tab at a time, using the browser's locks, so that tabs that notice the same event decide in turn.
 * Browsers offer locks only over https or on this machine; elsewhere the task runs at once.
 */
export async function oneTabAfterAnother(name: string, run: () => unknown): Promise<void> {
  if ('locks' in navigator)
    await navigator.locks.request(name, async () => {
      await run();
    });
  else await run();
}
