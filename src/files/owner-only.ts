// Imported first by every program: whatever it writes, only its owner may access, whichever umask it was started with.
process.umask(0o077);
