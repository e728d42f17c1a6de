import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { Shell } from './shell.tsx';
import '#ui/tokens.css';
import '#ui/base.css';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to draw in.');

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <Shell />
    </ErrorBoundary>
  </StrictMode>,
);
