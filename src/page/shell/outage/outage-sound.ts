import { createSoundOutput, oneTabAfterAnother, playTones } from '../shared/tones.ts';

/** Falling: an outage has begun. Rising: it is over. In hertz. */
const TONES = { start: [660, 440], end: [440, 660] } as const;

export type OutageEvent = keyof typeof TONES;

const LOUDNESS = 0.2;

/** Plays the start as a sample. To be called from a click, without which browsers allow no sound. */
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

/** Several tabs notice the same event: the first one that may make a sound makes it. */
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
