import { Face } from '#ui/face.tsx';

export function NoScreens() {
  return (
    <Face title="No screens yet">
      <p>This is the frame that they will open in. It reads nothing from any exchange and shows no figures.</p>
      <p>
        What they will read is written down in the <a href="/openapi.json">interface document</a> (OpenAPI).
      </p>
    </Face>
  );
}
