import { createSoundOutput, oneTabAfterAnother, playTones } from '#page/panels/sounds.ts';

/** In hertz. Falling tones mean that an outage has begun, rising ones that it is over. */
const TONES = { start: [660, 440], end: [440, 660] } as const;

export type OutageEvent = keyof typeof TONES;

const LOUDNESS = 0.2;

/** Plays the start of an outage as a sample. Must be called from a click, since browsers otherwise allow no sound. */
export function playSample(): void {
  playTones(new AudioContext(), TONES.start, LOUDNESS);
}

export interface OutageSound {
  readonly play: (event: OutageEvent) => Promise<void>;
  readonly dispose: () => void;
}

export function createOutageSound(): OutageSound {
  const output = createSoundOutput();
  return {
    play: async (event) => {
      const context = output.context();
      if (context === null) return;
      await oncePerBrowser(event, () => {
        playTones(context, TONES[event], LOUDNESS);
      });
    },
    dispose: output.dispose,
  };
}

const NAME = 'perpdesk.outage-sound';
/** Tabs notice an outage at different times, hidden ones up to a minute later. */
const SAME_EVENT_MS = 120_000;

/** Plays a sound once per browser: several tabs notice the same event, and the first one that may play sound does. */
async function oncePerBrowser(event: OutageEvent, play: () => void): Promise<void> {
  await oneTabAfterAnother(NAME, () => {
    if (isPlayed(event)) return;
    localStorage.setItem(NAME, `${event} ${String(Date.now())}`);
    play();
  });
}

function isPlayed(event: OutageEvent): boolean {
  const [last, at] = (localStorage.getItem(NAME) ?? '').split(' ');
  return last === event && Date.now() - Number(at) < SAME_EVENT_MS;
}
