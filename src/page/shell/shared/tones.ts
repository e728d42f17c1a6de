const TONE_SECONDS = 0.22;

/** Plays short tones one after the other, in hertz, which need no file. */
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
  /** Null before the first click or key on the page: browsers allow no sound until then. */
  readonly context: () => AudioContext | null;
  readonly dispose: () => void;
}

/** The sound of this tab. A sound that was wanted before the first click would come late, at that click, so it is dropped. */
export function createSoundOutput(): SoundOutput {
  const listening = new AbortController();
  const { signal } = listening;
  let context: AudioContext | null = null;
  const allow = (): void => {
    context ??= new AudioContext();
  };
  // A sound may have been wanted long after the click.
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

/** Several tabs notice the same event: the browser's locks let one after the other decide. Browsers have locks on this machine and on https only. */
export async function oneTabAfterAnother(name: string, run: () => unknown): Promise<void> {
  if ('locks' in navigator)
    await navigator.locks.request(name, async () => {
      await run();
    });
  else await run();
}
