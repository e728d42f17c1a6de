/** The arguments of the Chromium of all tests, with their reasons: */
export const BROWSER_ARGUMENTS = [
  // Chromium refuses its sandbox as root, which containers run as.
  '--no-sandbox',
  '--disable-quic',
  // Without a window, it would fit letters to whole pixels, which makes texts wider than elsewhere.
  '--font-render-hinting=none',
  // It must send no requests of its own.
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
