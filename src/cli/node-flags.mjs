/** The oldest major version of Node.js that runs Perpdesk. */
export const oldestMajor = 24;

/** SIGUSR1 would open Node's inspector, through which any local user could read the key. */
const noInspector = '--disable-sigusr1';

/**
 * For a program with an embedded exchange: making up its past leaves much garbage. With these the exchange holds a million
 * orders in 250 MB instead of 450, at the same speed.
 */
export const venueNodeFlags = [noInspector, '--max-semi-space-size=8', '--heap-growing-percent=100'];

/**
 * For the server alone. The responses it passes through lie outside the heap, but V8 counts them when it judges how much
 * the heap has grown, and would collect all of it every few responses. With these a response of 4 MB takes two thirds of
 * the time.
 */
export const serverNodeFlags = [noInspector, '--max-semi-space-size=8', '--heap-growing-percent=200'];

/**
 * glibc keeps memory that one thread has freed for the threads of the same arena, and has up to eight arenas a core; and
 * once a large piece has been freed, it keeps pieces of that size. Two arenas, and each piece above 256 kB given back at
 * once, save about a tenth each of the memory of a server with 1,000 live streams, at the same speed. Other C libraries
 * ignore both.
 */
export const memoryLimits = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };
