import { run } from './run.mjs';

/**
 * Replaces this process by a program, so that no process stays behind that could end without the program. Where
 * Node.js cannot do that, which are those before 22.15 and Windows, the program runs as a child.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ readonly cwd?: string, readonly env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} the exit code of the child
 */
export function become(file, args, { cwd, env }) {
  if (process.execve === undefined || process.platform === 'win32') return run(file, args, { cwd: cwd ?? '.', env });
  // The folder a command is started in may be one that its user may not enter, as after `sudo -u perpdesk` in /root.
  if (cwd !== undefined) process.chdir(cwd);
  return process.execve(file, [file, ...args], env);
}
