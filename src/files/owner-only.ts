// Imported first by every program, so that only the owner can access the files it writes, regardless of the umask it
// was started with.
process.umask(0o077);
