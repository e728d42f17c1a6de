import { playTones } from '../shared/tones.ts';

/** In hertz. All rise, and none is that of an outage. */
const SOUNDS: Readonly<Record<string, readonly number[]>> = {
  chime: [784, 988, 1_175],
  bell: [1_047, 1_047],
  pulse: [587, 784, 587, 784],
};
const VOLUMES: Readonly<Record<string, number>> = { quiet: 0.06, medium: 0.2, loud: 0.5 };

export function playAlert(context: AudioContext, sound: string, volume: string): void {
  playTones(context, SOUNDS[sound] ?? [], VOLUMES[volume] ?? 0);
}
