import type { PreferenceStore } from '#ui/preferences/preference-store.ts';

/** Keeps the root element's look as it is preferred; before anything is drawn, so that nothing flashes. */
export function applyLook({ read, subscribe }: PreferenceStore, root: HTMLElement): void {
  const apply = (): void => {
    const { theme, palette, density } = read();
    Object.assign(root.dataset, { theme, palette, density });
  };
  apply();
  subscribe(apply);
}
