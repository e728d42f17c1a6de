/** Of the Chromium of all tests, with what they need: */
export const BROWSER_ARGUMENTS = [
  // it refuses its sandbox as root, which containers run as;
  '--no-sandbox',
  '--disable-quic',
  // without a window it would fit letters to whole pixels, which makes texts wider than they are elsewhere;
  '--font-render-hinting=none',
  // and it requests nothing of its own.
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
