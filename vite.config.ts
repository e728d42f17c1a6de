import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const integration = 'src/**/*.integration.test.ts';
const checks = 'src/**/*.checks.test.ts';

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], exclude: [integration, checks] } },
      { extends: true, test: { name: 'integration', include: [integration], testTimeout: 30_000 } },
      { extends: true, test: { name: 'checks', include: [checks], testTimeout: 120_000 } },
    ],
  },
});
