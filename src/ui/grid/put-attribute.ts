/** Sets an attribute, or takes it away where there is nothing to say. */
export function putAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
