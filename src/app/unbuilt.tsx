import { Face } from '#ui/face.tsx';

export function Unbuilt() {
  return (
    <Face title="This screen is not built yet">
      <p>
        What it will read is written down in the <a href="/openapi.json">interface document</a> (OpenAPI).
      </p>
    </Face>
  );
}
