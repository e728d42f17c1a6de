/**
 * What the pinned Node is given for a program that holds an exchange. Making up a past leaves much garbage behind: a young
 * generation of modest size keeps the memory at 280 MB for a million orders, where the usual size lets it grow to 450.
 */
export const venueNodeFlags = ['--max-semi-space-size=8'];
