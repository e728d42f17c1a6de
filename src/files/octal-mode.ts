/** Writes the permissions of a file as `chmod` takes them, such as `640`. */
export function toOctal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
