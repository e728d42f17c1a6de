/** Falling: an outage has begun. Rising: it is over. In hertz. */
const TONES = { start: [660, 440], end: [440, 660] } as const;

export type OutageEvent = keyof typeof TONES;

const TONE_SECONDS = 0.22;
const LOUDNESS = 0.2;

/** Plays two short tones, which need no file. */
export function playTones(context: AudioContext, event: OutageEvent): void {
  for (const [index, frequency] of TONES[event].entries()) {
    const from = context.currentTime + index * TONE_SECONDS;
    const oscillator = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    // A tone that starts or ends at full volume clicks.
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.02);
    volume.gain.linearRampToValueAtTime(0, from + TONE_SECONDS);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + TONE_SECONDS);
  }
}

/** Plays the start as a sample. To be called from a click, without which browsers allow no sound. */
export function playSample(): void {
  playTones(new AudioContext(), 'start');
}

export interface OutageSound {
  readonly play: (event: OutageEvent) => Promise<void>;
  readonly dispose: () => void;
}

/**
 * The sound of this tab. Browsers allow none before the first click or key on the page: a sound that was wanted earlier
 * would come late, at that click, so it is dropped.
 */
export function createOutageSound(): OutageSound {
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
    play: async (event) => {
      const output = context;
      if (output === null) return;
      await oncePerBrowser(event, () => {
        playTones(output, event);
      });
    },
    dispose: () => {
      listening.abort();
      void context?.close();
    },
  };
}

const NAME = 'perpdesk.outage-sound';
/** Tabs notice an outage at different times, hidden ones up to a minute later. */
const SAME_EVENT_MS = 120_000;

/** Several tabs notice the same event: the first one that may make a sound makes it. */
async function oncePerBrowser(event: OutageEvent, play: () => void): Promise<void> {
  const playFirst = (): void => {
    if (isPlayed(event)) return;
    localStorage.setItem(NAME, `${event} ${String(Date.now())}`);
    play();
  };
  // Browsers have locks on this machine and on https only.
  if ('locks' in navigator) await navigator.locks.request(NAME, playFirst);
  else playFirst();
}

function isPlayed(event: OutageEvent): boolean {
  const [last, at] = (localStorage.getItem(NAME) ?? '').split(' ');
  return last === event && Date.now() - Number(at) < SAME_EVENT_MS;
}
